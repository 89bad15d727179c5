import type { HostBroker, TurnOfThread } from './host-broker.ts';
import type { OpHost } from './op-host.ts';

/** The host, as it is asked for the ops of this turn. */
export function hostOfTurn(host: HostBroker, { threadId, turnId }: TurnOfThread): OpHost {
	return {
		perform: (asked, onProgress, signal) => host.perform({ ...asked, threadId, turnId }, onProgress, signal),
		askAhead: (ops, signal) => host.askAhead(ops, { threadId, turnId }, signal),
		outcome: (opId, signal) => host.outcome(opId, signal),
		redacted: (value, signal) => host.redacted(value, signal),
	};
}
