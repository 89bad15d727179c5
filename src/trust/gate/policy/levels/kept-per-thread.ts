/**
 * Keeps the user's decisions for single threads in a file of our home. The file belongs to the host alone: no op
 * reaches it, and no server and no page can write it. All hosts of a home share it.
 */
import { join } from 'node:path';
import { Emitter } from '../../../../base/emitter.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { Text } from '../../../../protocol/text/text.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { LogPort } from '../../../../contract/ports/ports.ts';
import { LatestReading } from '../../../../machine/home-files/latest-reading.ts';
import { SharedJson } from '../../../../machine/home-files/shared-json.ts';
import { MAX_KEPT_THREADS } from '../limits.ts';

interface ThreadEntry {
	readonly id: ThreadId;
}

interface KeptPerThreadOptions<E extends ThreadEntry> {
	readonly home: string;
	/** Name of the file in it. */
	readonly file: string;
	readonly entry: z.ZodType<E>;
	/** Consequence of an unreadable file, as the end of a sentence. */
	readonly consequence: Text;
	/** Reason why an entry cannot be kept, as a sentence. */
	readonly misfit: string;
	readonly log: Pick<LogPort, 'warn'>;
}

export class KeptPerThread<E extends ThreadEntry> {
	/** Last changed last. */
	readonly #file: SharedJson<{ readonly threads: readonly E[] }>;
	readonly #changed = new Emitter<ThreadId>();
	readonly #entries: LatestReading<ReadonlyMap<ThreadId, E>>;

	constructor({ home, file, entry, consequence, misfit, log }: KeptPerThreadOptions<E>) {
		this.#file = new SharedJson<{ readonly threads: readonly E[] }>({
			path: join(home, file),
			schema: z.object({ threads: z.array(entry) }),
			empty: { threads: [] },
			consequence,
			misfit,
		});
		this.#entries = new LatestReading<ReadonlyMap<ThreadId, E>>({
			read: async () => new Map((await this.all()).map((each) => [each.id, each])),
			empty: new Map(),
			log,
		});
	}

	/** A thread of this host has another entry. */
	readonly onDidChange = this.#changed.event;

	/** Returns the entry that the last `refresh` found. */
	of(threadId: ThreadId): E | undefined {
		return this.#entries.current.get(threadId);
	}

	/** Why no entry is known; undefined: the file can be read, or there is none. */
	get problem(): string | undefined {
		return this.#entries.problem;
	}

	/** Brings the entries up to date: they are at least as new as this call. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		await this.#entries.refresh(signal);
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async all(): Promise<readonly E[]> {
		return (await this.#file.read()).threads;
	}

	/** In place of the thread's earlier entry. Rejects with INVALID_STATE when the file cannot be read. */
	async set(entry: E, signal: AbortSignal): Promise<void> {
		await this.#file.change(({ threads }) => {
			const others = threads.filter(({ id }) => id !== entry.id);
			return { threads: [...others, entry].slice(-MAX_KEPT_THREADS) };
		}, signal);
		await this.refresh(signal);
		this.#changed.fire(entry.id);
	}

	/** The thread's entry as it is in the file, changed. Rejects as `set` does; without an entry nothing changes. */
	async change(threadId: ThreadId, change: (entry: E) => E, signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => {
			const threads = file.threads.map((entry) => (entry.id === threadId ? change(entry) : entry));
			return threads.every((entry, index) => entry === file.threads[index]) ? file : { threads };
		}, signal);
		await this.refresh(signal);
		this.#changed.fire(threadId);
	}

	/** For a thread that is gone. Rejects as `set` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => {
			const threads = file.threads.filter(({ id }) => id !== threadId);
			return threads.length < file.threads.length ? { threads } : file;
		}, signal);
	}
}
