/** Activity of the threads, from the server's updates: which ones run, and when a turn ends. */
import { Emitter } from '../../base/emitter.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ThreadEvent, ThreadUpdate, TurnOutcome } from '../../protocol/thread/thread.ts';

interface EndedTurn {
	readonly threadId: ThreadId;
	readonly outcome: TurnOutcome;
	/** The tour answered. */
	readonly isTour: boolean;
}

/** Whose model is the tour's. */
const OF_TOUR = 'tour/';

export class Activity {
	readonly #touring = new Set<ThreadId>();
	readonly #running = new Set<ThreadId>();
	readonly #changed = new Emitter<void>();
	readonly #ended = new Emitter<EndedTurn>();
	readonly #threads = new Emitter<void>();
	readonly #acted = new Emitter<void>();
	/** The set of running threads changed. */
	readonly onDidChange = this.#changed.event;
	readonly onDidEndTurn = this.#ended.event;
	/** A thread was created, renamed, deleted, or has a newer turn. */
	readonly onDidChangeThreads = this.#threads.event;
	/** A call of a turn began, or stands in another way. */
	readonly onDidAct = this.#acted.event;

	get running(): ReadonlySet<ThreadId> {
		return this.#running;
	}

	apply({ threadId, events }: ThreadUpdate): void {
		for (const event of events) {
			this.#applyEvent(threadId, event);
		}
	}

	/** The server is gone, and with it every turn. */
	clear(): void {
		if (this.#running.size > 0) {
			this.#running.clear();
			this.#changed.fire();
		}
	}

	#applyEvent(threadId: ThreadId, event: ThreadEvent): void {
		switch (event.type) {
			case 'turn.start':
				this.#running.add(threadId);
				if (event.modelId.startsWith(OF_TOUR)) {
					this.#touring.add(threadId);
				}
				this.#changed.fire();
				break;
			case 'turn.end':
				this.#running.delete(threadId);
				this.#changed.fire();
				this.#ended.fire({ threadId, outcome: event.outcome, isTour: this.#touring.delete(threadId) });
				break;
			case 'thread.deleted':
				this.#running.delete(threadId);
				this.#threads.fire();
				break;
			case 'thread.changed':
				this.#threads.fire();
				break;
			case 'item.start':
			case 'item.tool':
				this.#acted.fire();
				break;
			default:
				// Content of a turn: the view's business.
				break;
		}
	}
}
