/** The host as the one who acts: asks it to perform ops and hears how they are doing. */
import type { Disposable } from '../../base/disposable.ts';
import { cutText } from '../../base/text/one-line.ts';
import {
	brokerNotifications,
	brokerRequests,
	type OpKnowledge,
	type OpOutcome,
	type OpProgress,
	type OpRequest,
} from '../../protocol/turn/broker.ts';
import type { OpId, SubTurnId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { subTurnHostRequests } from '../../protocol/turn/sub-turn.ts';
import type { TurnOutcome } from '../../protocol/thread/thread.ts';
import { turnNotifications } from '../../protocol/thread/thread-requests.ts';
import { MAX_LAST_WORDS, turnHookRequests } from '../../protocol/turn/turn-hooks.ts';
import { usageRequests } from '../../protocol/turn/usage.ts';

export interface AskedOp {
	readonly opId: OpId;
	readonly op: string;
	readonly params: unknown;
	/** Prowess asks for it by itself, in its own words; absent: a model does. */
	readonly isOurs?: true;
}

/** The host, for the ops of one turn or sub-turn: whose they are is settled. */
export interface OpHost {
	perform(asked: AskedOp, onProgress: (progress: OpProgress) => void, signal: AbortSignal): Promise<OpOutcome>;
	/** Lets the person answer for ops that come next, as one list. Resolves when they are done; the signal takes them back. */
	askAhead(ops: readonly AskedOp[], signal: AbortSignal): Promise<void>;
	/** Resolves with what the host knows of an op's outcome. */
	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge>;
	/** Plain data without secrets, as the host knows them. */
	redacted<T>(value: T, signal: AbortSignal): Promise<T>;
}

interface TurnOfThread {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
}

export interface HostBroker {
	/**
	 * Performs an effect at most once: for an `opId` that was performed before, resolves with its outcome. Rejects when
	 * the signal aborts.
	 */
	perform(request: OpRequest, onProgress: (progress: OpProgress) => void, signal: AbortSignal): Promise<OpOutcome>;
	/** Lets the person answer for ops of a turn before these are performed. Resolves when all were; the signal takes them back. */
	askAhead(ops: readonly AskedOp[], turn: TurnOfThread, signal: AbortSignal): Promise<void>;
	/** Resolves with what the host knows of an op's outcome. */
	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge>;
	/** Plain data without secrets, as the host knows them. */
	redacted<T>(value: T, signal: AbortSignal): Promise<T>;
	/**
	 * Tells the host that a turn has ended, so that it may stop what the turn left running, unless the turn was done.
	 */
	turnEnded(turnId: TurnId, outcome: TurnOutcome): void;
	/** Reason of a hook why the agent goes on; undefined: it rests. Rejects when the signal aborts. */
	resting(
		turn: TurnOfThread,
		said: { readonly isAgain: boolean; readonly text: string },
		signal: AbortSignal,
	): Promise<string | undefined>;
	/** US dollars that the thread has cost so far, with its sub-agents and capabilities. Rejects where nobody can tell. */
	spent(threadId: ThreadId, signal: AbortSignal): Promise<number>;
	/** Tells hooks that older messages leave. Rejects when the signal aborts. */
	compacting(threadId: ThreadId, trigger: 'auto' | 'manual', keep: string, signal: AbortSignal): Promise<void>;
}

export class PeerBroker implements HostBroker, Disposable {
	readonly #host: Peer;
	readonly #listeners = new Map<string, (progress: OpProgress) => void>();
	/** Listeners for steps of capabilities that a turn has started: these may come after the outcome, until the turn ends. */
	readonly #followed = new Map<
		string,
		{ readonly turnId: TurnId; readonly onProgress: (progress: OpProgress) => void }
	>();
	readonly #subscription: Disposable;

	constructor(host: Peer) {
		this.#host = host;
		this.#subscription = host.on(brokerNotifications, {
			progress: (progress) => {
				const { opId, kind } = progress;
				const listener =
					this.#listeners.get(opId) ?? (kind === 'steps' ? this.#followed.get(opId)?.onProgress : undefined);
				listener?.(progress);
			},
		});
	}

	async perform(
		request: OpRequest,
		onProgress: (progress: OpProgress) => void,
		signal: AbortSignal,
	): Promise<OpOutcome> {
		const { opId, op, turnId } = request;
		if (op === 'capability.start') this.#followed.set(opId, { turnId, onProgress });
		return await this.#heard(opId, onProgress, () => this.#host.call(brokerRequests.perform, request, signal));
	}

	async askAhead(ops: readonly AskedOp[], turn: TurnOfThread, signal: AbortSignal): Promise<void> {
		await this.#host.call(brokerRequests.askAhead, { ...turn, ops: [...ops] }, signal);
	}

	/** The host for one sub-turn: what is performed has the rights of the execution that the host gave this name to. */
	ofSubTurn(subTurnId: SubTurnId): OpHost {
		return {
			perform: (asked, onProgress, signal) =>
				this.#heard(asked.opId, onProgress, () =>
					this.#host.call(subTurnHostRequests.perform, { subTurnId, ...asked }, signal),
				),
			// A capability asks one thing at a time.
			askAhead: async () => {},
			outcome: (opId, signal) => this.outcome(opId, signal),
			redacted: (value, signal) => this.redacted(value, signal),
		};
	}

	outcome(opId: OpId, signal: AbortSignal): Promise<OpKnowledge> {
		return this.#host.call(brokerRequests.outcome, { opId }, signal);
	}

	async redacted<T>(value: T, signal: AbortSignal): Promise<T> {
		// Strings may change, the shape does not.
		return (await this.#host.call(brokerRequests.redact, { value }, signal)).value as T;
	}

	turnEnded(turnId: TurnId, outcome: TurnOutcome): void {
		for (const [opId, followed] of this.#followed) {
			if (followed.turnId === turnId) this.#followed.delete(opId);
		}
		this.#host.notify(turnNotifications.ended, { turnId, outcome });
	}

	async resting(
		{ threadId, turnId }: TurnOfThread,
		{ isAgain, text }: { readonly isAgain: boolean; readonly text: string },
		signal: AbortSignal,
	): Promise<string | undefined> {
		const asked = { threadId, turnId, isAgain, text: cutText(text, MAX_LAST_WORDS) };
		return (await this.#host.call(turnHookRequests.resting, asked, signal)).again ?? undefined;
	}

	async spent(threadId: ThreadId, signal: AbortSignal): Promise<number> {
		return (await this.#host.call(usageRequests.spent, { threadId }, signal)).cost;
	}

	async compacting(threadId: ThreadId, trigger: 'auto' | 'manual', keep: string, signal: AbortSignal): Promise<void> {
		await this.#host.call(turnHookRequests.compacting, { threadId, trigger, keep: cutText(keep, 10_000) }, signal);
	}

	async #heard<T>(opId: OpId, onProgress: (progress: OpProgress) => void, ask: () => Promise<T>): Promise<T> {
		this.#listeners.set(opId, onProgress);
		try {
			return await ask();
		} finally {
			this.#listeners.delete(opId);
		}
	}

	dispose(): void {
		this.#subscription.dispose();
		this.#listeners.clear();
		this.#followed.clear();
	}
}

/** The host, as it is asked for the ops of this turn. */
export function hostOfTurn(host: HostBroker, { threadId, turnId }: TurnOfThread): OpHost {
	return {
		perform: (asked, onProgress, signal) => host.perform({ ...asked, threadId, turnId }, onProgress, signal),
		askAhead: (ops, signal) => host.askAhead(ops, { threadId, turnId }, signal),
		outcome: (opId, signal) => host.outcome(opId, signal),
		redacted: (value, signal) => host.redacted(value, signal),
	};
}
