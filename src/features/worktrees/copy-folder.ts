/** Copies of folders, which share their content with the original where the disk can. Links stay links. */
import { constants } from 'node:fs';
import { cp, lstat, opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { MAX_WORKTREE_BYTES, MAX_WORKTREE_FILES } from './limits.ts';

/** `isLeftOut` is asked with paths below the folder, with slashes. Pipes, sockets and devices are left out. */
export async function copyFolder(
	from: string,
	to: string,
	isLeftOut: (path: string) => boolean,
	signal: AbortSignal,
): Promise<void> {
	const counted = { files: 0, bytes: 0 };
	await cp(from, to, {
		recursive: true,
		mode: constants.COPYFILE_FICLONE,
		verbatimSymlinks: true,
		preserveTimestamps: true,
		errorOnExist: true,
		force: false,
		filter: async (path) => {
			signal.throwIfAborted();
			const below = relative(from, path).split(sep).join('/');
			if (below !== '' && isLeftOut(below)) return false;
			const stats = await lstat(path);
			counted.files += 1;
			counted.bytes += stats.isFile() ? stats.size : 0;
			if (counted.files > MAX_WORKTREE_FILES || counted.bytes > MAX_WORKTREE_BYTES) {
				const message = `${from} is too large to be copied: more than ${MAX_WORKTREE_FILES} files or ${MAX_WORKTREE_BYTES} bytes`;
				throw new ProwessError('FILE_TOO_LARGE', message, {
					folder: from,
					said: text('{folder} is too large to be copied. Leave parts of it out in the settings.', { folder: from }),
				});
			}
			return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
		},
	});
}

interface FoundFile {
	/** Below the folder, with slashes. */
	readonly path: string;
	readonly size: number;
}

/** Files and links below a folder, Git's own apart, without following links; `limit` ends it. */
export async function listFiles(
	folder: string,
	limit: number,
	signal: AbortSignal,
): Promise<{ files: FoundFile[]; isCut: boolean }> {
	const files: FoundFile[] = [];
	const folders = [''];
	for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
		signal.throwIfAborted();
		const opened = await opendir(join(folder, below)).catch(() => undefined);
		for await (const entry of opened ?? []) {
			const path = below === '' ? entry.name : `${below}/${entry.name}`;
			if (entry.isDirectory()) {
				folders.push(path);
			} else if (entry.isFile() || entry.isSymbolicLink()) {
				if (files.length >= limit) return { files, isCut: true };
				files.push({ path, size: (await lstat(join(folder, path)).catch(() => undefined))?.size ?? 0 });
			}
		}
	}
	return { files, isCut: false };
}
