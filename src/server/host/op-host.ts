/** The host, for the ops of one turn or sub-turn: whose they are is settled. */
import type { OpKnowledge, OpOutcome, OpProgress } from '../../protocol/broker.ts';
import type { OpId } from '../../protocol/ids.ts';

export interface AskedOp {
	readonly opId: OpId;
	readonly op: string;
	readonly params: unknown;
}

export interface OpHost {
	perform(asked: AskedOp, onProgress: (progress: OpProgress) => void, signal: AbortSignal): Promise<OpOutcome>;
	/** Lets the person answer for ops that come next, as one list. Resolves when they are done; the signal takes them back. */
	askAhead(ops: readonly AskedOp[], signal: AbortSignal): Promise<void>;
	/** Resolves with what the host knows of an op's outcome. */
	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge>;
	/** Plain data without secrets, as the host knows them. */
	redacted<T>(value: T, signal: AbortSignal): Promise<T>;
}
