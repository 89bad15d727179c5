/**
 * A `/tmp` for the commands of each thread: what one of them leaves there, the next one finds. Private to the thread and to this
 * host, removed with either; one that holds too much when nothing of the thread runs any more is emptied.
 */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { KEPT_TEMPORARY_BYTES, KEPT_TEMPORARY_FILES, KEPT_TEMPORARY_FOLDERS } from './limits.ts';
import type { SandboxFolders } from './sandbox-folders.ts';

/** Size that the system counts as a block of a file. */
const STAT_BLOCK_BYTES = 512;

interface Temporary {
	readonly root: Promise<string>;
	/** Commands that have it now. */
	uses: number;
}

/** Use of a thread's temporary folder by a single command. */
interface TemporaryUse {
	/** Absolute and free of links. */
	readonly folder: string;
	/** Once the command has ended. Resolves with a sentence if what it left there is gone; never rejects. */
	leave(): Promise<readonly string[]>;
}

export class ThreadTemporaries {
	readonly #folders: Pick<SandboxFolders, 'makeTemporary' | 'removeTemporary'>;
	/** The least recently used one first. */
	readonly #all = new Map<ThreadId, Temporary>();

	constructor(folders: Pick<SandboxFolders, 'makeTemporary' | 'removeTemporary'>) {
		this.#folders = folders;
	}

	async enter(threadId: ThreadId): Promise<TemporaryUse> {
		const temporary = this.#all.get(threadId) ?? { root: this.#folders.makeTemporary(), uses: 0 };
		this.#all.delete(threadId);
		this.#all.set(threadId, temporary);
		temporary.uses += 1;
		try {
			const folder = join(await temporary.root, 'tmp');
			this.#removeOldest();
			return { folder, leave: () => this.#leave(threadId, temporary, folder) };
		} catch (error) {
			if (this.#all.get(threadId) === temporary) this.#all.delete(threadId);
			throw error;
		}
	}

	/** Removes the thread's temporary folder; to be called once its commands have ended. */
	endThread(threadId: ThreadId): void {
		const temporary = this.#all.get(threadId);
		if (temporary !== undefined) this.#remove(threadId, temporary);
	}

	close(): void {
		for (const threadId of [...this.#all.keys()]) this.endThread(threadId);
	}

	async #leave(threadId: ThreadId, temporary: Temporary, folder: string): Promise<readonly string[]> {
		const isTooMuch = temporary.uses === 1 && (await holdsTooMuch(folder));
		temporary.uses -= 1;
		// Another command may have come meanwhile.
		if (!isTooMuch || temporary.uses > 0 || this.#all.get(threadId) !== temporary) {
			return [];
		}
		this.#remove(threadId, temporary);
		const most = `${KEPT_TEMPORARY_BYTES / 1_048_576} MB or ${KEPT_TEMPORARY_FILES} files`;
		return [`/tmp was emptied: it held more than ${most}. Write what you need later into the workspace.`];
	}

	#removeOldest(): void {
		const idle = [...this.#all].filter(([, { uses }]) => uses === 0);
		for (const [threadId, temporary] of idle.slice(0, Math.max(0, this.#all.size - KEPT_TEMPORARY_FOLDERS))) {
			this.#remove(threadId, temporary);
		}
	}

	#remove(threadId: ThreadId, { root }: Temporary): void {
		this.#all.delete(threadId);
		void root.then(
			(folder) => this.#folders.removeTemporary(folder),
			() => undefined,
		);
	}
}

/**
 * True when the folder holds more than may be kept. A folder that cannot be read counts as too much: a command may have
 * closed it.
 */
async function holdsTooMuch(root: string): Promise<boolean> {
	const waiting = [root];
	let [bytes, files] = [0, 0];
	try {
		for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
			for (const name of await readdir(folder)) {
				const path = join(folder, name);
				const stat = await lstat(path);
				if (stat.isDirectory()) waiting.push(path);
				bytes += stat.blocks * STAT_BLOCK_BYTES;
				files += 1;
				if (bytes > KEPT_TEMPORARY_BYTES || files > KEPT_TEMPORARY_FILES) return true;
			}
		}
		return false;
	} catch {
		return true;
	}
}
