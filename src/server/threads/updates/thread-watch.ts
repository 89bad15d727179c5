/**
 * Looks at what other processes write: to the thread that is shown here, which is told on as updates, and their wish that a
 * turn of this process ends. A look costs a few microseconds while nothing was written.
 */
import type { Disposable } from '../../../base/disposable.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ThreadEvent } from '../../../protocol/thread/thread.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import type { Log } from '../../host/log.ts';
import { threadLimits } from '../limits.ts';
import type { LiveTurn } from '../live-turn.ts';
import { eventsSince, type SeenThread, seeThread } from './seen-thread.ts';
import type { SentUpdates } from './update-stream.ts';

interface ThreadWatchDeps {
	readonly store: ThreadStore;
	readonly sent: SentUpdates;
	readonly log: Log;
	/** Turns that run in this process. */
	live(): Iterable<LiveTurn>;
	/** Returns true when this process holds the thread. */
	isOurs(threadId: ThreadId): boolean;
	/** Settles what a process that is gone left unfinished. */
	settle(threadId: ThreadId): Promise<void>;
}

interface FollowedThread {
	readonly threadId: ThreadId;
	/** Undefined while and after this process writes the thread itself. */
	seen: SeenThread | undefined;
	/** Number of the last update when it was seen: a higher one since is of a turn of this process. */
	told: number;
	/** Since when a turn of it is unfinished and its process gone; by the monotonic clock. */
	leftSinceMs: number | undefined;
}

export class ThreadWatch implements Disposable {
	readonly #deps: ThreadWatchDeps;
	readonly #timer: NodeJS.Timeout;
	#version: number | undefined;
	#followed: FollowedThread | undefined;
	#hasFailed = false;

	constructor(deps: ThreadWatchDeps) {
		this.#deps = deps;
		this.#timer = setInterval(() => this.#look(), threadLimits.watchIntervalMs);
		this.#timer.unref();
	}

	/** From now on instead of the last one. The receiver knows the thread as it is in the store at this moment. */
	follow(threadId: ThreadId): void {
		const { store, sent, isOurs } = this.#deps;
		const seen = isOurs(threadId) ? undefined : seeThread(store, threadId);
		this.#followed = { threadId, seen, told: sent.lastOf(threadId, 0), leftSinceMs: undefined };
	}

	dispose(): void {
		clearInterval(this.#timer);
		this.#followed = undefined;
	}

	#look(): void {
		const { store, log } = this.#deps;
		try {
			const version = store.version();
			const isChanged = version !== this.#version;
			this.#version = version;
			if (isChanged) {
				this.#heedWishes();
			}
			if (this.#followed !== undefined) {
				this.#lookAt(this.#followed, isChanged);
			}
			this.#hasFailed = false;
		} catch (error) {
			// Said once: the next look comes soon, and the disk may stay full or gone.
			if (!this.#hasFailed) {
				log.warn('what other processes write could not be read', { error: String(error) });
			}
			this.#hasFailed = true;
		}
	}

	#heedWishes(): void {
		for (const turn of this.#deps.live()) {
			if (this.#deps.store.isAskedToStop(turn.turnId)) {
				void turn.handOver();
			}
		}
	}

	#lookAt(followed: FollowedThread, isChanged: boolean): void {
		const { store, sent, isOurs } = this.#deps;
		const { threadId } = followed;
		if (isOurs(threadId)) {
			followed.seen = undefined;
			return;
		}
		if (followed.told !== sent.lastOf(threadId, 0)) {
			followed.seen = undefined;
		}
		const { seen } = followed;
		const isLeft = seen?.info.running === true && store.holderElsewhere(threadId) === undefined;
		if (isChanged || seen === undefined || isLeft !== (followed.leftSinceMs !== undefined)) {
			this.#tellChanges(followed);
		}
		this.#settleLeft(followed, isLeft);
	}

	#tellChanges(followed: FollowedThread): void {
		const { store, sent } = this.#deps;
		const { threadId, seen } = followed;
		const now = seeThread(store, threadId, seen);
		if (now === undefined) {
			this.#followed = undefined;
			this.#tell(threadId, sent.lastOf(threadId, 0) + 1, [{ type: 'thread.deleted' }]);
			return;
		}
		followed.seen = now;
		const last = sent.lastOf(threadId, 0);
		const isWrittenSince = seen === undefined && now.row.seq > last;
		const events = seen === undefined ? [] : eventsSince(seen, now);
		if (events === undefined || isWrittenSince) {
			// A number is left out: the receiver asks for the snapshot.
			this.#tell(threadId, last + 2, [{ type: 'thread.changed', info: now.info }]);
		} else if (events.length > 0) {
			this.#tell(threadId, last + 1, events);
		}
		followed.told = sent.lastOf(threadId, 0);
	}

	#tell(threadId: ThreadId, seq: number, events: ThreadEvent[]): void {
		this.#deps.sent.send({ threadId, seq, events, isElsewhere: true });
	}

	#settleLeft(followed: FollowedThread, isLeft: boolean): void {
		if (!isLeft) {
			followed.leftSinceMs = undefined;
			return;
		}
		followed.leftSinceMs ??= performance.now();
		if (performance.now() - followed.leftSinceMs >= threadLimits.settleLeftMs) {
			followed.leftSinceMs = performance.now();
			const { log, settle } = this.#deps;
			// A failure is only logged, because settling is tried again: the thread may be gone, or the disk full.
			settle(followed.threadId).catch((error: unknown) =>
				log.warn('a turn that was left unfinished could not be settled', { error: String(error) }),
			);
		}
	}
}
