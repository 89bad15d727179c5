/** Reads from the ledger how ops of earlier hosts ended. Their effects never run again. */
import type { OpKnowledge, OpOutcome, Receipt } from '../../../protocol/turn/broker.ts';
import { isErrorCode } from '../../../protocol/errors/errors.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';
import type { LedgerRow } from '../../../protocol/approvals/ledger.ts';

/** Derives from the ledger rows of one op how it ended. */
export function toOpKnowledge(rows: readonly LedgerRow[]): OpKnowledge {
	const end = rows.findLast((row) => row.kind === 'outcome' || row.kind === 'denial');
	if (end !== undefined) {
		return { kind: 'recorded', status: toOutcomeStatus(end), summary: end.output ?? '', receipt: toReceipt(end) };
	}
	const intent = rows.find((row) => row.kind === 'intent');
	return intent === undefined ? { kind: 'unknown' } : { kind: 'inDoubt', receipt: toReceipt(intent) };
}

/** The answer to an op that was asked before this host started; undefined: it was not. */
export function outcomeOfEarlierHost(opId: OpId, knowledge: OpKnowledge): OpOutcome | undefined {
	switch (knowledge.kind) {
		case 'recorded': {
			const { status, summary, receipt } = knowledge;
			if (status === 'done') {
				const message = `op ${opId} was done before the host restarted, and is not done again; its result was not kept: ${summary}`;
				return failedBefore(opId, 'INVALID_STATE', message, { status, summary }, receipt);
			}
			const [code = ''] = summary.split(':', 1);
			const error = { code: isErrorCode(code) ? code : ('INTERNAL' as const), message: summary, facts: {} };
			return { status, opId, error, durationMs: 0, receipt };
		}
		case 'inDoubt': {
			const message = `op ${opId} was begun before the host restarted; whether it took effect is not known. Look before doing it again`;
			return failedBefore(opId, 'OUTCOME_IN_DOUBT', message, {}, knowledge.receipt);
		}
		case 'settled':
			return knowledge.outcome;
		case 'running':
		case 'unknown':
			return undefined;
	}
}

function toReceipt({ writer, seq, hash }: LedgerRow): Receipt {
	return { writer, seq, hash };
}

function toOutcomeStatus({ status }: LedgerRow): OpOutcome['status'] {
	return status === 'done' || status === 'denied' || status === 'cancelled' || status === 'timeout' ? status : 'failed';
}

function failedBefore(
	opId: OpId,
	code: 'INVALID_STATE' | 'OUTCOME_IN_DOUBT',
	message: string,
	facts: Record<string, unknown>,
	receipt: Receipt,
): OpOutcome {
	return { status: 'failed', opId, error: { code, message, facts }, durationMs: 0, receipt };
}
