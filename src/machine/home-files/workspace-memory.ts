/**
 * One small value of a workspace, for its next window: written as soon as it is set, unlike what VS Code keeps for an
 * extension, which a window that ends within a moment takes with it. VS Code's folder for the workspace would not do either:
 * a host that is not gone yet keeps it from the next one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../paths/file-error.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { replaceDurably } from './durable-file.ts';
import { MEMORY_KEPT_MS } from './limits.ts';
import { projectName } from './project-name.ts';
import { removeOld } from './remove-old.ts';

interface WorkspaceMemoryPlace {
	readonly home: string;
	/** Absolute paths of the open folders; without one, all windows have one memory. */
	readonly folders: readonly string[];
	/** What is remembered. Each has a memory of its own. */
	readonly of: 'thread' | 'typed';
}

export class WorkspaceMemory {
	readonly #root: string;
	readonly #path: string;
	readonly #log: Pick<LogPort, 'warn'>;
	#value: unknown;
	#written: Promise<void> | undefined;
	/** A write that has not begun takes whatever is set by then. */
	#isWriteWaiting = false;

	/** Reads the file. One that cannot be read is as none, and the log says so. */
	constructor({ home, folders, of }: WorkspaceMemoryPlace, log: Pick<LogPort, 'warn'>) {
		this.#root = join(home, 'windows');
		const name = projectName(folders);
		this.#path = join(this.#root, of === 'thread' ? `${name}.json` : `${name}.${of}.json`);
		this.#log = log;
		this.#value = this.#read();
	}

	/** What was set last, here or by the window before; undefined when nothing was. What it is, is for the reader to check. */
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
			if (errnoOf(error) !== 'ENOENT') {
				this.#warn('what a workspace remembers cannot be read: it is as none', error);
			}
			return undefined;
		}
	}

	#warn(what: string, error: unknown): void {
		this.#log.warn(what, { path: this.#path, error: String(error) });
	}
}
