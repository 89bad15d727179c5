/**
 * Numbers of the updates that this process has sent. They only rise, also where another process has given its own numbers to
 * the same thread meanwhile, so no receiver takes a new update for an old one.
 */
import type { ThreadId } from '../../../protocol/ids.ts';
import type { ThreadUpdate } from '../../../protocol/thread/thread.ts';

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
