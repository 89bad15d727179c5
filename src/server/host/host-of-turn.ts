import type { ThreadId, TurnId } from '../../protocol/ids.ts';
import type { HostBroker } from './host-broker.ts';
import type { OpHost } from './op-host.ts';

/** The host, as it is asked for the ops of this turn. */
export function hostOfTurn(
	host: HostBroker,
	{ threadId, turnId }: { readonly threadId: ThreadId; readonly turnId: TurnId },
): OpHost {
	return {
		perform: (asked, onProgress, signal) => host.perform({ ...asked, threadId, turnId }, onProgress, signal),
		outcome: (opId, signal) => host.outcome(opId, signal),
		redacted: (value, signal) => host.redacted(value, signal),
	};
}
