/** The host as the one who acts: asks it to perform ops and hears how they are doing. */
import type { Disposable } from '../../base/disposable.ts';
import {
	brokerNotifications,
	brokerRequests,
	type OpKnowledge,
	type OpOutcome,
	type OpProgress,
	type OpRequest,
} from '../../protocol/broker.ts';
import type { OpId, TurnId } from '../../protocol/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { type TurnOutcome, turnNotifications } from '../../protocol/thread.ts';

export interface HostBroker {
	/** One effect, once: an `opId` that was performed before is answered with its outcome. Rejects when the signal aborts. */
	perform(request: OpRequest, onProgress: (progress: OpProgress) => void, signal: AbortSignal): Promise<OpOutcome>;
	/** What became of an op. */
	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge>;
	/** What the turn left to run need not go on, unless the turn was done. */
	turnEnded(turnId: TurnId, outcome: TurnOutcome): void;
}

export class PeerBroker implements HostBroker, Disposable {
	readonly #host: Peer;
	readonly #listeners = new Map<string, (progress: OpProgress) => void>();
	readonly #subscription: Disposable;

	constructor(host: Peer) {
		this.#host = host;
		this.#subscription = host.on(brokerNotifications, {
			progress: (progress) => this.#listeners.get(progress.opId)?.(progress),
		});
	}

	async perform(
		request: OpRequest,
		onProgress: (progress: OpProgress) => void,
		signal: AbortSignal,
	): Promise<OpOutcome> {
		this.#listeners.set(request.opId, onProgress);
		try {
			return await this.#host.call(brokerRequests.perform, request, signal);
		} finally {
			this.#listeners.delete(request.opId);
		}
	}

	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge> {
		return this.#host.call(brokerRequests.outcome, { opId }, signal);
	}

	turnEnded(turnId: TurnId, outcome: TurnOutcome): void {
		this.#host.notify(turnNotifications.ended, { turnId, outcome });
	}

	dispose(): void {
		this.#subscription.dispose();
		this.#listeners.clear();
	}
}
