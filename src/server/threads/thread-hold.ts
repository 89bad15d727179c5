/** A thread held by this process: its lease, renewed while it is held, and its updates. Ends by being given back. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ParamsOf } from '../../protocol/rpc/message.ts';
import { readStoredUsage } from '../../protocol/thread/stored-thread.ts';
import { text } from '../../protocol/text/text.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import type { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { Durability } from '../../store/database.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import type { ThreadRow } from '../../store/threads/thread-rows.ts';
import type { ThreadWriter } from '../../store/threads/thread-writer.ts';
import { isLockedError } from '../../store/store-error.ts';
import type { Log } from '../host/log.ts';
import { usageBeside } from '../loop/total-usage.ts';
import type { ModelPort, ModelUsage } from '../models/model-port.ts';
import { threadLimits } from './limits.ts';
import { toThreadInfo } from './updates/thread-view.ts';
import { type SentUpdates, UpdateStream } from './updates/update-stream.ts';

export class ThreadHold {
	readonly threadId: ThreadId;
	readonly writer: ThreadWriter;
	readonly updates: UpdateStream;
	/** Aborts with the reason when the thread can no longer be written. */
	readonly lost = new AbortController();
	readonly #store: ThreadStore;
	readonly #renewal: NodeJS.Timeout;

	readonly #log: Pick<Log, 'warn'>;

	/** Throws `busy` or `missing`. */
	constructor(store: ThreadStore, threadId: ThreadId, sent: SentUpdates, log: Pick<Log, 'warn'>) {
		this.threadId = threadId;
		this.#store = store;
		this.#log = log;
		this.writer = store.lease(threadId);
		const writer = this.writer;
		this.updates = new UpdateStream(threadId, sent.lastOf(threadId, this.row().seq), {
			reserve: (seq) => writer.change({ seq }),
			store: () => writer.settle(),
			send: (update) => sent.send(update),
			failed: this.fail,
		});
		this.#renewal = setInterval(() => this.#renew(), threadLimits.leaseRenewalMs);
		this.#renewal.unref();
	}

	readonly fail = (error: unknown): void => this.lost.abort(error);

	/** Read anew: the only copy is in the store. */
	row(): ThreadRow {
		const row = this.#store.thread(this.threadId);
		if (row === undefined) {
			throw new Error(`thread ${this.threadId} is gone while it is held`);
		}
		return row;
	}

	/** A change as one commit; then `events`, which see it, are announced, with the thread's new description before them. */
	change(durability: Durability, work: () => readonly ThreadEvent[]): void {
		const events = this.writer.transaction(durability, work);
		this.updates.push({ type: 'thread.changed', info: toThreadInfo(this.row()) });
		for (const event of events) {
			this.updates.push(event);
		}
		this.updates.flush();
	}

	/** Sends what waits and gives the thread back. */
	release(): void {
		clearInterval(this.#renewal);
		try {
			this.updates.flush();
			this.writer.change({ seq: this.updates.seq });
		} finally {
			this.updates.dispose();
			this.writer.release();
		}
	}

	/** Gives the thread back as far as the store lets us; never throws. */
	letGo(): void {
		try {
			this.release();
		} catch {
			this.abandon();
		}
	}

	/** Keeps the lease for whoever settles what is open here, and says nothing more. */
	abandon(): void {
		clearInterval(this.#renewal);
		this.updates.dispose();
		this.#store.giveUp(this.writer);
	}

	/** A file that others hold for a while costs no turn: the lease has time left, and one that was lost is found at the next write. */
	#renew(): void {
		try {
			this.writer.renew();
		} catch (error) {
			if (!isLockedError(error)) {
				this.fail(error);
				return;
			}
			this.#log.warn('the lease of a thread was not renewed, because another process holds the file', {
				threadId: this.threadId,
			});
		}
	}
}

/** Adds a request beside the conversation to what a thread at rest has used. */
export function addSpent(hold: ThreadHold, used: ModelUsage, model: ModelPort): void {
	const before = readStoredUsage(hold.row());
	// The turn before it was over.
	const ofTurn = { turnCost: before?.turnCost, requestCost: before?.requestCost };
	const usage = { ...usageBeside(before, used, model), ...ofTurn };
	hold.change('process', () => {
		hold.writer.change({ usage: JSON.stringify(usage) });
		return [{ type: 'usage', usage }];
	});
}

/** Changes what is given. */
export function changeThread(
	hold: ThreadHold,
	{ title, modelId, mode, effort, shelf }: Omit<ParamsOf<typeof threadRequests.update>, 'threadId'>,
): void {
	hold.change('process', () => {
		hold.writer.change({
			...(title === undefined ? {} : { title }),
			...(modelId === undefined ? {} : { model_id: modelId }),
			...(mode === undefined ? {} : { mode }),
			...(effort === undefined ? {} : { effort }),
			...(shelf === undefined ? {} : { shelf }),
		});
		return [];
	});
}

/** Throws INVALID_STATE for a thread that was used since, is pinned, or works; nobody else can use it while it is held. */
export function requireUnused({ threadId }: ThreadHold, store: ThreadStore, since: string): void {
	if (store.unused(since, 'id', threadId, 1).length === 0) {
		throw new ProwessError('INVALID_STATE', `thread ${threadId} was used since ${since}, or is pinned`, {
			threadId,
			said: text('The thread is pinned, or somebody has used it meanwhile.'),
		});
	}
}
