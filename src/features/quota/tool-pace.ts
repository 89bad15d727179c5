/**
 * Pace of the tool calls of each thread. A call beyond the user's limit is not refused: it waits until there is room in the
 * minute, because a turn that runs is finished.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { LatestTimes } from './latest-times.ts';

/** Limits of quotas. */
const quotaLimits = {
	/** In which tool calls are counted. */
	paceMs: 60_000,
	/** Longest time between two looks at a wait for room: the user may have raised the quota. */
	paceLookMs: 1_000,
} as const;

interface PaceDeps {
	/** Calls of a thread in any minute; 0: as many as it likes, and they are only counted. */
	limit(): number;
	/** Tests have their own. Not the time of day, which can be changed. */
	readonly now?: () => number;
	/** Resolves after that time, and at once when the signal aborts. */
	readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export class ToolPace {
	readonly #limit: () => number;
	readonly #now: () => number;
	readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
	readonly #calls = new Map<ThreadId, LatestTimes>();

	constructor({ limit, now = () => performance.now(), wait = waitUnlessAborted }: PaceDeps) {
		this.#limit = limit;
		this.#now = now;
		this.#wait = wait;
	}

	/** Calls of the thread in the last minute. */
	count(threadId: ThreadId): number {
		return this.#calls.get(threadId)?.count(this.#now()) ?? 0;
	}

	/**
	 * Resolves once the thread may make another call, and when the signal aborts: then none is counted. `onWaiting` hears how
	 * long it takes, at the latest.
	 */
	async enter(threadId: ThreadId, onWaiting: (ms: number, limit: number) => void, signal: AbortSignal): Promise<void> {
		let told = -Infinity;
		while (!signal.aborted) {
			const limit = this.#limit();
			const calls = this.#callsOf(threadId);
			const now = this.#now();
			const ms = limit === 0 ? 0 : calls.untilBelow(limit, now);
			if (ms === 0) {
				calls.add(now);
				return;
			}
			// Another one may have taken the place that this one waited for.
			if (now + ms > told) {
				told = now + ms;
				onWaiting(ms, limit);
			}
			await this.#wait(Math.min(ms, quotaLimits.paceLookMs), signal);
		}
	}

	/** Threads that have rested for a minute are forgotten. */
	#callsOf(threadId: ThreadId): LatestTimes {
		const known = this.#calls.get(threadId);
		if (known !== undefined) {
			return known;
		}
		const now = this.#now();
		for (const [id, calls] of this.#calls) {
			if (calls.count(now) === 0) this.#calls.delete(id);
		}
		const calls = new LatestTimes(quotaLimits.paceMs);
		this.#calls.set(threadId, calls);
		return calls;
	}
}

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
	await wait(ms, undefined, { signal }).catch(() => {
		// The caller checks the signal after the wait.
	});
}
