/**
 * The host's end of its databases. Every call settles: with the answer, or with an error when the thread of the databases
 * failed, ended or was closed. A thread that died is started again by the next call.
 */
import { raceTimeout } from '../../../../base/time/within.ts';
import { ANSWERS_PER_TURN, CLOSE_TIMEOUT_MS } from '../limits.ts';
import { PacedQueue } from './paced-queue.ts';
import type { CallInput, CallName, CallResult, StoreReply, StoreRequest, StoreStart } from './store-calls.ts';
import type { OpenStoreThread, StoreThread } from './store-thread.ts';

export class StoreFailure extends Error {
	override readonly name = 'StoreFailure';
	/** The row is there already: an op's second intent. */
	readonly isDuplicate: boolean;
	/** The file is damaged: the next call looks at it thoroughly, and puts it aside. */
	readonly isDamage: boolean;

	constructor(message: string, isDuplicate = false, isDamage = false) {
		super(message);
		this.isDuplicate = isDuplicate;
		this.isDamage = isDamage;
	}
}

type StoreAnswer = Extract<StoreReply, { readonly id: number }>;

/** Events that a store reports without being asked. */
interface StoreEvents {
	/** `saved`: in words, what was saved of a damaged ledger, which says so itself. */
	onMovedAside(path: string, saved: string | undefined): void;
	/** Anchors were written into the home. */
	onAnchored(text: string): void;
	onNotAnchored(why: string): void;
}

interface PendingStoreCall {
	resolve(result: unknown): void;
	reject(error: Error): void;
}

export class HostStore {
	readonly #open: OpenStoreThread;
	readonly #start: StoreStart;
	readonly #events: StoreEvents;
	readonly #pending = new Map<number, PendingStoreCall>();
	/** Queue that paces answers: the store answers a burst of calls in one moment, and each answer causes work. */
	readonly #answers = new PacedQueue<StoreAnswer>(ANSWERS_PER_TURN, (answer) => this.#settle(answer));
	#thread: StoreThread | undefined;
	/** Called in this turn of the loop. They go together, in their order. */
	#unsent: StoreRequest[] = [];
	#lastId = 0;
	#closing: Promise<void> | undefined;

	constructor(open: OpenStoreThread, start: StoreStart, events: StoreEvents) {
		this.#open = open;
		this.#start = start;
		this.#events = events;
	}

	/** A call cannot be taken back, so it has no signal: it is short, or it goes in pages. */
	call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallResult<N>> {
		if (this.#closing !== undefined && name !== 'close') {
			return Promise.reject(new StoreFailure(`${name}: the store is closed`));
		}
		return new Promise((resolve, reject) => {
			const thread = this.#running();
			this.#lastId += 1;
			this.#pending.set(this.#lastId, { resolve: resolve as (result: unknown) => void, reject });
			thread.keepAlive(true);
			if (this.#unsent.length === 0) {
				setImmediate(this.#send);
			}
			this.#unsent.push({ id: this.#lastId, name, input });
		});
	}

	readonly #send = (): void => {
		const requests = this.#unsent;
		this.#unsent = [];
		try {
			if (requests.length > 0) this.#thread?.post(requests);
		} catch (error) {
			for (const { id, name } of requests) {
				const message = `${name} cannot be sent: ${String(error)}`;
				this.#settle({ kind: 'error', id, message, isDuplicate: false, isDamage: false });
			}
		}
	};

	/** Finishes what was called before, then ends the thread. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		const thread = this.#thread;
		if (thread === undefined) {
			return;
		}
		await raceTimeout(
			this.call('close', null).catch(() => undefined),
			CLOSE_TIMEOUT_MS,
		);
		await thread.end();
	}

	#running(): StoreThread {
		if (this.#thread !== undefined) {
			return this.#thread;
		}
		const thread = this.#open(this.#start, {
			onReplies: (replies) => this.#receive(replies),
			onEnd: (why) => this.#lost(thread, why),
		});
		this.#thread = thread;
		return thread;
	}

	#receive(replies: readonly StoreReply[]): void {
		for (const reply of replies) {
			switch (reply.kind) {
				case 'movedAside':
					this.#events.onMovedAside(reply.path, reply.saved);
					break;
				case 'anchored':
					this.#events.onAnchored(reply.text);
					break;
				case 'notAnchored':
					this.#events.onNotAnchored(reply.why);
					break;
				case 'result':
				case 'error':
					this.#answers.push(reply);
			}
		}
	}

	#settle(answer: StoreAnswer): void {
		const pending = this.#pending.get(answer.id);
		this.#pending.delete(answer.id);
		if (this.#pending.size === 0) {
			this.#thread?.keepAlive(false);
		}
		if (answer.kind === 'result') {
			pending?.resolve(answer.result);
		} else {
			pending?.reject(new StoreFailure(answer.message, answer.isDuplicate, answer.isDamage));
		}
	}

	#lost(thread: StoreThread, why: string): void {
		if (this.#thread !== thread) {
			return;
		}
		// Calls that the thread answered before it ended were done, so hand on their answers.
		this.#answers.flush();
		this.#thread = undefined;
		this.#unsent = [];
		const lost = [...this.#pending.values()];
		this.#pending.clear();
		for (const { reject } of lost) {
			reject(new StoreFailure(why));
		}
	}
}
