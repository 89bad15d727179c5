/** The rows of a trial: a command that a person has run on a copy of the workspace, before they answer whether it may run. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { newId } from '../../protocol/ids.ts';
import type { FinishedTrial } from '../../contract/ops/op-implementation.ts';
import type { LedgerPort, NewEntry } from '../record/ledger/ledger.ts';
import type { BrokerCall } from './call.ts';
import { inEnglish } from '../../protocol/text/text.ts';

const TRIAL_OP = 'shell.tryFirst';

/** Rejects with LEDGER_UNWRITABLE before anything runs, or as `run` does. */
export async function recordTrial(
	ledger: LedgerPort,
	call: BrokerCall,
	run: () => Promise<FinishedTrial>,
): Promise<FinishedTrial> {
	const entry: Omit<NewEntry, 'kind' | 'output' | 'status' | 'durationMs'> = {
		opId: newId('op'),
		op: TRIAL_OP,
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
	const recordEnd = (status: string, output: string) =>
		ledger.append(
			{ ...entry, kind: 'outcome', output, status, durationMs: Math.round(performance.now() - startedAt) },
			false,
		);
	try {
		const tried = await run();
		const { exitCode, signal, changed, changedBeyond } = tried.ended;
		const count = changed.length + changedBeyond;
		await recordEnd('done', `ended with ${signal ?? exitCode}, ${count} changed on the copy`);
		return tried;
	} catch (error) {
		// Report the original failure, even when the ledger cannot record it.
		await recordEnd('failed', toErrorMessage(error)).catch(() => undefined);
		throw error;
	}
}
