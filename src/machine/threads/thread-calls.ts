/**
 * Calls of a host to a thread of its own. Both ends compile against one table of calls. Each call settles exactly once:
 * with its answer, with the error of the thread and its code, or with the reason why no answer will come. The first call
 * starts the thread, and the creator of the calls ends it; after a thread has died, the next call starts another one.
 */
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { type ErrorCode, ProwessError } from '../../protocol/errors/errors.ts';
import {
	CLOSE,
	type CallInput,
	type CallResult,
	type CallTable,
	type ThreadAnswer,
	type ThreadReply,
	type ThreadRequest,
} from './call-messages.ts';
import { PacedQueue } from './paced-queue.ts';
import type { CallThread, OpenCallThread } from './worker-thread.ts';

interface ThreadCallsOptions<E extends object> {
	/** Subject of messages about the thread: "the memory worker". */
	readonly what: string;
	/** Code of failures that have none of their own, the end of the thread among them. */
	readonly failsWith: ErrorCode;
	/** Longest wait for `close`; the thread is ended then, whatever it is doing. Absent: at once. */
	readonly closeMs?: number;
	/**
	 * Longest wait for an answer; absent: none. A thread that takes longer is ended, because it can be stopped in no other
	 * way, and all its calls fail.
	 */
	readonly limitMs?: number;
	/** False: the process may end while an answer is due. Default: true. */
	readonly keepsAlive?: boolean;
	/** Events of the thread. */
	readonly on?: { readonly [N in keyof E]: (value: E[N]) => void };
}

interface PendingCall {
	resolve(result: unknown): void;
	reject(error: unknown): void;
	/** Stops the clock of the call, and its listening to a signal. */
	release(): void;
}

/** Answers that are handed on before the host's loop comes round: each causes work, and a thread gives many in one moment. */
export const ANSWERS_PER_TURN = 16;

export class ThreadCalls<T extends CallTable<T>, E extends object = object> {
	readonly #open: OpenCallThread;
	readonly #options: ThreadCallsOptions<E>;
	readonly #pending = new Map<number, PendingCall>();
	readonly #answers = new PacedQueue<ThreadAnswer>(ANSWERS_PER_TURN, (answer) => this.#hear(answer));
	#thread: CallThread | undefined;
	/** Called in this turn of the loop. They go together, in their order. */
	#unsent: ThreadRequest[] = [];
	#lastId = 0;
	#closing: Promise<void> | undefined;

	constructor(open: OpenCallThread, options: ThreadCallsOptions<E>) {
		this.#open = open;
		this.#options = options;
	}

	/**
	 * Rejects with the reason of `signal` once that aborts. A call that was sent cannot be taken back: the thread carries it
	 * out all the same, and nobody hears of it. Without a signal, a call is short or goes in pages.
	 */
	call<N extends keyof T & string>(name: N, input: CallInput<T, N>, signal?: AbortSignal): Promise<CallResult<T, N>> {
		if (this.#closing !== undefined) {
			return Promise.reject(new ProwessError('INVALID_STATE', `${name}: ${this.#options.what} is closed`));
		}
		return this.#ask(name, input, signal) as Promise<CallResult<T, N>>;
	}

	/** Finishes what was called before, then ends the thread. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	/** Ends the thread, whatever it is doing; calls that are open fail. */
	end(): Promise<void> {
		this.#closing ??= Promise.resolve();
		return this.#endThread(`${this.#options.what} was ended`);
	}

	async #close(): Promise<void> {
		if (this.#thread !== undefined) {
			await raceTimeout(
				this.#ask(CLOSE, null).catch(() => undefined),
				this.#options.closeMs ?? 0,
			);
			await this.#endThread(`${this.#options.what} was closed`);
		}
	}

	#ask(name: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
		const { what, limitMs, keepsAlive = true } = this.#options;
		if (signal?.aborted === true) {
			return Promise.reject(signal.reason as Error);
		}
		return new Promise((resolve, reject) => {
			const thread = this.#running();
			this.#lastId += 1;
			const id = this.#lastId;
			const abortCall = () => this.#settle(id, (call) => call.reject(signal?.reason));
			const tooLong = () => {
				const message = `${what}: ${name} took longer than ${limitMs} ms`;
				this.#settle(id, (call) => call.reject(new ProwessError('TIMEOUT', message, { limitMs })));
				void this.#endThread(message);
			};
			const timer = limitMs === undefined ? undefined : setTimeout(tooLong, limitMs);
			signal?.addEventListener('abort', abortCall, { once: true });
			this.#pending.set(id, {
				resolve,
				reject,
				release() {
					clearTimeout(timer);
					signal?.removeEventListener('abort', abortCall);
				},
			});
			thread.keepAlive(keepsAlive);
			if (this.#unsent.length === 0) {
				setImmediate(this.#send);
			}
			this.#unsent.push({ id, name, input });
		});
	}

	readonly #send = (): void => {
		// A call that was aborted in between is not sent at all.
		const requests = this.#unsent.filter(({ id }) => this.#pending.has(id));
		this.#unsent = [];
		try {
			if (requests.length > 0) this.#thread?.post(requests);
		} catch (error) {
			const { failsWith } = this.#options;
			for (const { id, name } of requests) {
				this.#hear({ kind: 'error', id, message: `${name} cannot be sent: ${String(error)}`, code: failsWith });
			}
		}
	};

	#running(): CallThread {
		if (this.#thread === undefined) {
			const thread = this.#open({
				onReplies: (replies) => this.#receive(replies),
				onEnd: (why) => this.#lose(thread, why),
			});
			this.#thread = thread;
		}
		return this.#thread;
	}

	#receive(replies: readonly ThreadReply[]): void {
		for (const reply of replies) {
			if (reply.kind === 'event') {
				this.#options.on?.[reply.name as keyof E](reply.value as E[keyof E]);
			} else {
				this.#answers.push(reply);
			}
		}
	}

	#hear(answer: ThreadAnswer): void {
		this.#settle(answer.id, (call) => {
			if (answer.kind === 'result') {
				call.resolve(answer.result);
			} else {
				call.reject(new ProwessError(answer.code ?? this.#options.failsWith, answer.message, answer.facts));
			}
		});
	}

	/** Only the first outcome of a call counts. */
	#settle(id: number, settle: (call: PendingCall) => void): void {
		const call = this.#pending.get(id);
		this.#pending.delete(id);
		if (this.#pending.size === 0) {
			this.#thread?.keepAlive(false);
		}
		call?.release();
		if (call !== undefined) settle(call);
	}

	async #endThread(why: string): Promise<void> {
		const thread = this.#thread;
		if (thread !== undefined) {
			this.#lose(thread, why);
			await thread.end();
		}
	}

	#lose(thread: CallThread, why: string): void {
		if (this.#thread !== thread) {
			return;
		}
		// Calls that the thread answered before it ended were done, so hand on their answers.
		this.#answers.flush();
		this.#thread = undefined;
		this.#unsent = [];
		for (const id of [...this.#pending.keys()]) {
			this.#settle(id, (call) => call.reject(new ProwessError(this.#options.failsWith, why)));
		}
	}
}
