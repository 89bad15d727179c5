/** The rows of a trial: a command that a person has run on a copy of the workspace, before they answer whether it may run. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { FinishedTrial } from '../../contract/ops/op-implementation.ts';
import type { LedgerPort } from '../record/ledger/ledger.ts';
import { recordWork } from '../record/ledger/record-work.ts';
import type { BrokerCall } from './call.ts';
import { inEnglish } from '../../protocol/text/text.ts';

const TRIAL_OP = 'shell.tryFirst';

/** Rejects with LEDGER_UNWRITABLE before anything runs, or as `run` does. */
export async function recordTrial(
	ledger: LedgerPort,
	call: BrokerCall,
	run: () => Promise<FinishedTrial>,
): Promise<FinishedTrial> {
	const entry = {
		opId: newId('op'),
		op: TRIAL_OP,
		trigger: 'user',
		threadId: call.threadId,
		risk: call.risk,
		assessed: call.assessed,
		decision: 'allow (user): tried on a copy of the workspace, without network',
		paramsHash: call.paramsHash,
		input: `Try first: ${inEnglish(call.title)}`,
	} as const;
	return await recordWork(ledger, entry, run, { summary: summarizeTrial, failure: toErrorMessage });
}

function summarizeTrial({ ended }: FinishedTrial): string {
	const { exitCode, signal, changed, changedBeyond } = ended;
	return `ended with ${signal ?? exitCode}, ${changed.length + changedBeyond} changed on the copy`;
}
