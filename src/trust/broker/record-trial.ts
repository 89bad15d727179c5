/** The rows of a trial: a command that a person has run on a copy of the workspace, before they answer whether it may run. */
import { messageOf } from '../../base/text/message-of.ts';
import { newId } from '../../protocol/ids.ts';
import type { Tried } from '../../contract/ops/op-implementation.ts';
import type { LedgerPort, NewEntry } from '../record/ledger/ledger.ts';
import type { Call } from './call.ts';
import { inEnglish } from '../../protocol/text/text.ts';

const OP = 'shell.tryFirst';

/** Rejects with LEDGER_UNWRITABLE before anything runs, or as `run` does. */
export async function recordTrial(ledger: LedgerPort, call: Call, run: () => Promise<Tried>): Promise<Tried> {
	const entry: Omit<NewEntry, 'kind' | 'output' | 'status' | 'durationMs'> = {
		opId: newId('op'),
		op: OP,
		trigger: 'user',
		threadId: call.threadId,
		risk: call.risk,
		assessed: call.assessed,
		decision: 'allow (user): tried on a copy of the workspace, without network',
		paramsHash: call.paramsHash,
		input: `Try first: ${inEnglish(call.title)}`,
	};
	await ledger.append({ ...entry, kind: 'intent', output: null, status: null, durationMs: null }, true);
	const startedAt = performance.now();
	const end = (status: string, output: string) =>
		ledger.append(
			{ ...entry, kind: 'outcome', output, status, durationMs: Math.round(performance.now() - startedAt) },
			false,
		);
	try {
		const tried = await run();
		const { exitCode, signal, changed, changedBeyond } = tried.ended;
		const count = changed.length + changedBeyond;
		await end('done', `ended with ${signal ?? exitCode}, ${count} changed on the copy`);
		return tried;
	} catch (error) {
		// Report the original failure, even when the ledger cannot record it.
		await end('failed', messageOf(error)).catch(() => undefined);
		throw error;
	}
}
