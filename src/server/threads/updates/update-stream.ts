/** The numbered updates of one thread on their way out: batched, adjacent deltas of one item made one, numbered when sent. */
import type { Disposable } from '../../../base/disposable.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ThreadEvent, ThreadUpdate } from '../../../protocol/thread/thread.ts';
import { threadLimits } from '../limits.ts';

/**
 * Numbers of the updates that this process has sent. They only rise, also where another process has given its own numbers to
 * the same thread meanwhile, so no receiver takes a new update for an old one.
 */
export class SentUpdates {
	readonly #send: (update: ThreadUpdate) => void;
	readonly #last = new Map<ThreadId, number>();

	constructor(send: (update: ThreadUpdate) => void) {
		this.#send = send;
	}

	send(update: ThreadUpdate): void {
		this.note(update.threadId, update.seq + update.events.length - 1);
		this.#send(update);
	}

	/** Number of the last update of a thread whose row says `stored`. */
	lastOf(threadId: ThreadId, stored: number): number {
		return Math.max(stored, this.#last.get(threadId) ?? 0);
	}

	/** A snapshot with this number was given: the next update is a later one. */
	note(threadId: ThreadId, seq: number): void {
		this.#last.set(threadId, this.lastOf(threadId, seq));
	}
}

interface UpdateStreamDeps {
	/** Makes sure that no later process uses a number up to this one. Called before such a number is sent. */
	reserve(upTo: number): void;
	/** Stores what the updates tell of, where that waits for a commit. */
	store(): void;
	send(update: ThreadUpdate): void;
	/** A reservation failed while nobody was waiting for it: the thread is not ours any more, or the disk refuses. */
	failed(error: unknown): void;
}

export class UpdateStream implements Disposable {
	readonly #threadId: ThreadId;
	readonly #deps: UpdateStreamDeps;
	#seq: number;
	#reserved: number;
	#pending: ThreadEvent[] = [];
	#timer: NodeJS.Timeout | undefined;
	#sentAt = -Infinity;

	constructor(threadId: ThreadId, seq: number, deps: UpdateStreamDeps) {
		this.#threadId = threadId;
		this.#seq = seq;
		this.#reserved = seq;
		this.#deps = deps;
	}

	/** Number of the last event that was sent. */
	get seq(): number {
		return this.#seq;
	}

	push(event: ThreadEvent): void {
		const last = this.#pending.at(-1);
		if (event.type === 'item.delta' && last?.type === 'item.delta' && last.itemId === event.itemId) {
			last.text += event.text;
			return;
		}
		// Our own copy: its text grows.
		this.#pending.push(event.type === 'item.delta' ? { ...event } : event);
		this.#timer ??= setTimeout(
			() => this.#flushLater(),
			Math.max(0, this.#sentAt + threadLimits.updateIntervalMs - performance.now()),
		);
	}

	/** Sends what waits, at once. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const events = this.#pending;
		if (events.length === 0) {
			return;
		}
		const seq = this.#seq + 1;
		const last = this.#seq + events.length;
		if (last > this.#reserved) {
			this.#deps.reserve(last + threadLimits.reservedUpdates);
			this.#reserved = last + threadLimits.reservedUpdates;
		}
		this.#deps.store();
		this.#pending = [];
		this.#seq = last;
		this.#sentAt = performance.now();
		this.#deps.send({ threadId: this.#threadId, seq, events });
	}

	#flushLater(): void {
		try {
			this.flush();
		} catch (error) {
			this.#deps.failed(error);
		}
	}

	/** Drops what waits. */
	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#pending = [];
	}
}
