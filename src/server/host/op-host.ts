/** The host, for the ops of one turn or sub-turn: whose they are is settled. */
import type { OpKnowledge, OpOutcome, OpProgress } from '../../protocol/broker.ts';
import type { OpId } from '../../protocol/ids.ts';

export interface OpHost {
	perform(
		asked: { readonly opId: OpId; readonly op: string; readonly params: unknown },
		onProgress: (progress: OpProgress) => void,
		signal: AbortSignal,
	): Promise<OpOutcome>;
	/** What became of an op. */
	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge>;
	/** Plain data without secrets, as the host knows them. */
	redacted<T>(value: T, signal: AbortSignal): Promise<T>;
}
