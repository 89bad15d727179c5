/**
 * Small value that a workspace remembers for its next window. The value is written as soon as it is set: VS Code's
 * storage of an extension would lose it when the window ends within a moment. VS Code's folder for the workspace does
 * not fit either: a host that has not ended yet keeps it from the next one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findErrno } from '../paths/file-error.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { replaceDurably } from './durable-file.ts';
import { projectName } from './project-name.ts';
import { removeOld } from './remove-entries.ts';

/** Time for which the memory of a workspace is kept after it was last set: a year. */
export const MEMORY_KEPT_MS = 365 * 24 * 60 * 60 * 1000;

interface WorkspaceMemoryPlace {
	readonly home: string;
	/** Absolute paths of the open folders; without one, all windows have one memory. */
	readonly folders: readonly string[];
	/** Kind of value that is remembered. Each kind has a memory of its own. */
	readonly of: 'thread' | 'typed' | 'comments';
}

export class WorkspaceMemory {
	readonly #root: string;
	readonly #path: string;
	readonly #log: Pick<LogPort, 'warn'>;
	#value: unknown;
	#written: Promise<void> | undefined;
	/** A write that has not begun takes whatever is set by then. */
	#isWriteWaiting = false;

	/** Reads the file. A file that cannot be read counts as missing, and the log says so. */
	constructor({ home, folders, of }: WorkspaceMemoryPlace, log: Pick<LogPort, 'warn'>) {
		this.#root = join(home, 'windows');
		const name = projectName(folders);
		this.#path = join(this.#root, of === 'thread' ? `${name}.json` : `${name}.${of}.json`);
		this.#log = log;
		this.#value = this.#read();
	}

	/**
	 * Returns the value set last, here or by the window before; undefined when none was set. The reader must check its
	 * shape.
	 */
	get value(): unknown {
		return this.#value;
	}

	/** Anything that is JSON. Counts at once; when it cannot be written, it counts for this window only, and the log says so. */
	set(value: unknown): void {
		this.#value = value;
		if (this.#written === undefined) {
			this.#written = this.#write().then(() => removeOld(this.#root, () => MEMORY_KEPT_MS));
		} else if (!this.#isWriteWaiting) {
			this.#isWriteWaiting = true;
			this.#written = this.#written.then(() => this.#write());
		}
	}

	/** Resolves when what was set is on the disk, or the log says why it is not. */
	async settled(): Promise<void> {
		await this.#written;
	}

	/** Never rejects. */
	async #write(): Promise<void> {
		this.#isWriteWaiting = false;
		try {
			await replaceDurably(this.#path, JSON.stringify(this.#value));
		} catch (error) {
			this.#warn('what a workspace remembers cannot be written: it ends here', error);
		}
	}

	#read(): unknown {
		try {
			return JSON.parse(readFileSync(this.#path, 'utf8'));
		} catch (error) {
			if (findErrno(error) !== 'ENOENT') {
				this.#warn('what a workspace remembers cannot be read: it is as none', error);
			}
			return undefined;
		}
	}

	#warn(what: string, error: unknown): void {
		this.#log.warn(what, { path: this.#path, error: String(error) });
	}
}
