/**
 * Ops that this host was asked for: the running ones and the latest settled ones. The ledger holds what earlier hosts
 * did.
 */
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import type { OpKnowledge, OpOutcome } from '../../../protocol/turn/broker.ts';
import type { ProwessError } from '../../../protocol/errors/errors.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';
import { CLOSE_GRACE_MS, MAX_SETTLED_OUTCOMES } from '../limits.ts';
import type { RequestedOp } from '../../../contract/ops/perform-op.ts';
import type { Caller } from '../../../contract/ops/caller.ts';

interface RunningOp {
	readonly trigger: string;
	readonly caller: Caller;
	readonly asked: RequestedOp;
	stop(reason: ProwessError): void;
	/** Outcome as the caller gets it. Never rejects. */
	readonly outcome: Promise<OpOutcome>;
}

export class AskedOps {
	readonly #running = new Map<OpId, RunningOp>();
	readonly #settled = new Map<OpId, { readonly trigger: string; readonly outcome: OpOutcome }>();

	/** Undefined when it was not asked, or long ago. */
	find(opId: OpId): { readonly trigger: string; readonly outcome: OpOutcome | Promise<OpOutcome> } | undefined {
		return this.#running.get(opId) ?? this.#settled.get(opId);
	}

	/** Returns the running op with that id; undefined when it has settled or was never asked for. */
	running(opId: OpId): Pick<RunningOp, 'asked' | 'caller'> | undefined {
		return this.#running.get(opId);
	}

	knowledge(opId: OpId): OpKnowledge | undefined {
		if (this.#running.has(opId)) {
			return { kind: 'running' };
		}
		const settled = this.#settled.get(opId);
		return settled === undefined ? undefined : { kind: 'settled', outcome: settled.outcome };
	}

	begin(opId: OpId, running: RunningOp): void {
		this.#running.set(opId, running);
	}

	/** `outcome` is kept for a repetition: whole, but without a secret that was released. */
	settle(trigger: string, outcome: OpOutcome): void {
		this.#running.delete(outcome.opId);
		this.#settled.set(outcome.opId, { trigger, outcome });
		const [oldest] = this.#settled.keys();
		if (this.#settled.size > MAX_SETTLED_OUTCOMES && oldest !== undefined) {
			this.#settled.delete(oldest);
		}
	}

	/** Stops what runs for these callers, and waits for it for a bounded time. */
	async stop(isMeant: (caller: Caller) => boolean, reason: ProwessError): Promise<void> {
		const meant = [...this.#running.values()].filter(({ caller }) => isMeant(caller));
		for (const { stop } of meant) {
			stop(reason);
		}
		await raceTimeout(Promise.all(meant.map(({ outcome }) => outcome)), CLOSE_GRACE_MS);
	}
}
