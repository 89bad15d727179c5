/**
 * Shares one question among all who need the same answer at the same time: the person is asked once, and the answer
 * counts for all.
 */
import { orAborted } from '../../../base/time/bounded-wait.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';

interface OpenSharedQuestion<A> {
	/** Where it is shown. */
	readonly threadId: ThreadId | null;
	readonly answer: Promise<A>;
	readonly life: AbortController;
	/** The threads of those who wait for it. */
	readonly waiting: (ThreadId | null)[];
}

export class SharedQuestions<A> {
	readonly #open = new Map<string, OpenSharedQuestion<A>>();

	/**
	 * Joins the question that is open for `key`, or puts it with `put`, whose signal aborts when nobody waits for it any more
	 * in the thread it is shown in. Then one of the others puts it anew, in a thread of its own. Rejects as `put` does, or with
	 * the reason of `signal`, which takes away only the one who waits.
	 */
	async ask(
		key: string,
		threadId: ThreadId | null,
		put: (signal: AbortSignal) => Promise<A>,
		signal: AbortSignal,
	): Promise<A> {
		for (;;) {
			signal.throwIfAborted();
			const open = this.#open.get(key) ?? this.#put(key, threadId, put);
			try {
				return await this.#answerOf(key, open, threadId, signal);
			} catch (error) {
				if (signal.aborted || !open.life.signal.aborted) throw error;
			}
		}
	}

	#put(key: string, threadId: ThreadId | null, put: (signal: AbortSignal) => Promise<A>): OpenSharedQuestion<A> {
		const life = new AbortController();
		const open: OpenSharedQuestion<A> = { threadId, life, answer: put(life.signal), waiting: [] };
		this.#open.set(key, open);
		const forgetQuestion = () => this.#forget(key, open);
		open.answer.then(forgetQuestion, forgetQuestion);
		return open;
	}

	async #answerOf(
		key: string,
		open: OpenSharedQuestion<A>,
		threadId: ThreadId | null,
		signal: AbortSignal,
	): Promise<A> {
		open.waiting.push(threadId);
		try {
			return await orAborted(open.answer, signal);
		} finally {
			open.waiting.splice(open.waiting.indexOf(threadId), 1);
			if (signal.aborted && !open.waiting.includes(open.threadId)) {
				this.#forget(key, open);
				open.life.abort(new ProwessError('CANCELLED', 'nobody waits for the answer any more'));
			}
		}
	}

	#forget(key: string, open: OpenSharedQuestion<A>): void {
		if (this.#open.get(key) === open) this.#open.delete(key);
	}
}
