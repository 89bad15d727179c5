/** Counts of what users overrule, as the host keeps them for all windows and command lines; it knows the project. */
import {
	type Judgement,
	judgementNotifications,
	judgementRequests,
	type JudgementStanding,
} from '../../protocol/turn/judgement.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';

export interface OverruleDesk {
	standing(judgement: Judgement, signal: AbortSignal): Promise<JudgementStanding>;
	/** The user has overruled it. `occasion`: the turn; told twice, it counts once. */
	overruled(judgement: Judgement, occasion: string, signal: AbortSignal): Promise<JudgementStanding>;
	/** On again, and counted from nothing. */
	restored(judgement: Judgement, signal: AbortSignal): Promise<void>;
	/** The user has been told that it is off. */
	told(judgement: Judgement): void;
}

export function createOverruleDesk(host: Peer): OverruleDesk {
	return {
		standing: (judgement, signal) => host.call(judgementRequests.standing, judgement, signal),
		overruled: (judgement, occasion, signal) => host.call(judgementRequests.overruled, { judgement, occasion }, signal),
		restored: async (judgement, signal) => void (await host.call(judgementRequests.restored, judgement, signal)),
		told: (judgement) => host.notify(judgementNotifications.told, judgement),
	};
}
