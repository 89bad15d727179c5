/** Takes files of the workspace away without deleting them: into a folder of the home, where the user finds them. */
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { removeOld } from '../../home-files/remove-entries.ts';
import { findErrno } from '../../paths/file-error.ts';
import { FolderDescriptor } from '../../paths/folder-descriptor.ts';
import { QUARANTINE_KEPT_MS } from '../limits.ts';

export class Quarantine {
	readonly #folder: string;

	constructor(home: string) {
		this.#folder = join(home, 'quarantine');
	}

	/**
	 * Moves the entry at `path`, which lies below `root`, to quarantine. Resolves with its new place, or rejects with
	 * the reason why it stayed.
	 */
	async take(root: string, path: string): Promise<string> {
		const segments = relative(root, path).split('/');
		const name = segments.pop() ?? '';
		const to = join(this.#folder, `${Date.now()}`, ...segments, name);
		await mkdir(dirname(to), { recursive: true, mode: 0o700 });
		// Entered without following links: a command that still runs may put one in the way.
		const folder = await FolderDescriptor.reach(root, segments);
		try {
			await moveAcrossDisks(folder.at(name), to);
		} catch (error) {
			throw new Error(`${path} could not be taken away: ${toErrorMessage(error)}`, { cause: error });
		} finally {
			await folder.close();
		}
		return to;
	}

	/** Never rejects. */
	async removeOld(): Promise<void> {
		await removeOld(this.#folder, () => QUARANTINE_KEPT_MS);
	}
}

async function moveAcrossDisks(from: string, to: string): Promise<void> {
	try {
		await rename(from, to);
	} catch (error) {
		if (findErrno(error) !== 'EXDEV') {
			throw error;
		}
		await cp(from, to, { recursive: true, verbatimSymlinks: true, force: true });
		await rm(from, { recursive: true, force: true });
	}
}
