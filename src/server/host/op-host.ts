/** The host, for the ops of one turn or sub-turn: whose they are is settled. */
import type { OpOutcome, OpProgress } from '../../protocol/broker.ts';
import type { OpId, ThreadId, TurnId } from '../../protocol/ids.ts';
import type { HostBroker } from './host-broker.ts';

export interface OpHost {
	perform(
		asked: { readonly opId: OpId; readonly op: string; readonly params: unknown },
		onProgress: (progress: OpProgress) => void,
		signal: AbortSignal,
	): Promise<OpOutcome>;
	readonly outcome: HostBroker['outcome'];
}

/** Asks for this turn. */
export function hostOfTurn(
	host: HostBroker,
	{ threadId, turnId }: { readonly threadId: ThreadId; readonly turnId: TurnId },
): OpHost {
	return {
		perform: (asked, onProgress, signal) => host.perform({ ...asked, threadId, turnId }, onProgress, signal),
		outcome: (opId, signal) => host.outcome(opId, signal),
	};
}
