/**
 * Finds out which files of the workspace a command changes by itself, and what they held: looks before it and after it. Where
 * that fails, the command runs all the same, and its changes have no undo.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { within } from '../../../base/time/within.ts';
import { SWEEP_MS, SWEPT_FILES } from './limits.ts';
import type { SweepReply, SweepRequest, SweepResult, SweptChange } from './swept-change.ts';

interface SweepDeps {
	readonly workerUrl: URL;
	readonly home: string;
	/** Absolute paths of the workspace's folders. */
	folders(): readonly string[];
	/** Bytes that the copy of a folder may take; 0: there are no sweeps. */
	keptBytes(): number;
	onFailed(error: unknown): void;
	/** A folder with more files is not looked at; absent: `SWEPT_FILES`. */
	readonly maxFiles?: number;
}

/** Change of a file, by its absolute path. */
interface ChangedByCommand extends Omit<SweptChange, 'path'> {
	readonly absolutePath: string;
}

interface CommandChanges {
	readonly changes: readonly ChangedByCommand[];
	/** Files of which nobody knows whether they changed, or what they held. */
	readonly uncovered: number;
}

const FOLDER = 'sweeps';

export class WorkspaceSweeps {
	readonly #deps: SweepDeps;
	readonly #waiting = new Map<number, { resolve(result: SweepResult): void; reject(error: Error): void }>();
	/** Of commands that run, what was found of each so far; the one that began first comes first. */
	readonly #running = new Set<CommandChanges[]>();
	readonly #refused = new Set<string>();
	#worker: Worker | undefined;
	#lastId = 0;
	#isClosed = false;

	constructor(deps: SweepDeps) {
		this.#deps = deps;
	}

	/**
	 * Resolves when the copy is up to date; what it gives looks again. Undefined: there are no sweeps here. Where commands run
	 * side by side, a change counts as that of the first of them.
	 */
	async before(): Promise<(() => Promise<CommandChanges>) | undefined> {
		const folders = this.#deps.folders().filter((folder) => !this.#refused.has(folder));
		if (this.#isClosed || this.#deps.keptBytes() === 0) {
			return undefined;
		}
		// What the others have changed until now would otherwise be what lay there before.
		const [first] = this.#running;
		const found = await this.#sweep(first === undefined ? 'before' : 'after', folders);
		if (found === undefined) {
			return undefined;
		}
		first?.push(found);
		const mine: CommandChanges[] = [];
		this.#running.add(mine);
		return async () => {
			const last = await this.#sweep('after', folders);
			this.#running.delete(mine);
			const all = last === undefined ? mine : [...mine, last];
			return {
				changes: all.flatMap(({ changes }) => changes),
				uncovered: all.reduce((sum, { uncovered }) => sum + uncovered, 0),
			};
		};
	}

	/** Brings the copy up to date while somebody is asked about a command, so that the look before it finds little to do. */
	prepare(): void {
		const folders = this.#deps.folders().filter((folder) => !this.#refused.has(folder));
		// Beside a command, what is found counts as its change.
		if (!this.#isClosed && this.#running.size === 0 && this.#deps.keptBytes() > 0) void this.#sweep('before', folders);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#worker?.terminate();
	}

	async #sweep(kind: SweepRequest['kind'], folders: readonly string[]): Promise<CommandChanges | undefined> {
		try {
			const results = await Promise.all(
				folders.map((root) =>
					this.#ask(kind, root).catch((error: unknown) => {
						// A look that fails would fail before each command, and take its time.
						this.#refused.add(root);
						throw error;
					}),
				),
			);
			const changes = results.flatMap((result, index) =>
				result.changes.map(({ path, ...rest }) => ({ ...rest, absolutePath: join(folders[index] ?? '', path) })),
			);
			return { changes, uncovered: results.reduce((sum, { uncovered }) => sum + uncovered, 0) };
		} catch (error) {
			this.#deps.onFailed(error);
			return undefined;
		}
	}

	async #ask(kind: SweepRequest['kind'], root: string): Promise<SweepResult> {
		this.#lastId += 1;
		const id = this.#lastId;
		const answer = new Promise<SweepResult>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
		const worker = this.#started();
		const { maxFiles = SWEPT_FILES } = this.#deps;
		worker.ref();
		worker.postMessage({ id, kind, root, keptBytes: this.#deps.keptBytes(), maxFiles } satisfies SweepRequest);
		try {
			const result = await within(answer, SWEEP_MS);
			if (result === undefined) {
				await worker.terminate();
				throw new Error(`the files of ${root} could not be looked at within ${SWEEP_MS} ms`);
			}
			return result;
		} finally {
			this.#waiting.delete(id);
			if (this.#waiting.size === 0) {
				worker.unref();
			}
		}
	}

	#started(): Worker {
		if (this.#worker !== undefined) {
			return this.#worker;
		}
		const worker = new Worker(this.#deps.workerUrl, {
			workerData: { folder: join(this.#deps.home, FOLDER) },
			env: {},
			execArgv: ['--no-warnings'],
			name: 'prowess-sweep',
		});
		const fail = (error: Error) => {
			if (this.#worker === worker) this.#worker = undefined;
			for (const { reject } of this.#waiting.values()) reject(error);
		};
		worker.on('message', (reply: SweepReply) => {
			const waiting = this.#waiting.get(reply.id);
			if ('result' in reply) {
				waiting?.resolve(reply.result);
			} else {
				waiting?.reject(new Error(reply.error));
			}
		});
		worker.on('error', fail);
		worker.on('exit', () => fail(new Error('the sweep worker ended')));
		this.#worker = worker;
		return worker;
	}
}
