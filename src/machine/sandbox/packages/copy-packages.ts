/**
 * Copies files into a folder that sandboxed commands write to, while they may run: each step is opened by itself and held, so
 * that no link that a command puts in the place of a folder leads out. Needs Linux, as bubblewrap does.
 */
import { constants } from 'node:fs';
import { copyFile, type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { findErrno } from '../../paths/file-error.ts';
import { MAX_COPIED_BYTES, MAX_COPIED_FILES } from '../limits.ts';

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Copies package files between caches. `files`: path of each below both folders, in segments. Files that are missing in
 * `from`, or already in `to`, are passed over.
 */
export async function copyPackages(
	from: string,
	to: string,
	files: readonly (readonly string[])[],
	signal: AbortSignal,
): Promise<void> {
	let left = MAX_COPIED_BYTES;
	for (const steps of files.slice(0, MAX_COPIED_FILES)) {
		signal.throwIfAborted();
		const source = join(from, ...steps);
		const stat = await lstat(source).catch(() => undefined);
		if (stat?.isFile() === true && stat.size <= left && (await copyOne(source, to, steps))) {
			left -= stat.size;
		}
	}
}

/** False if it is there, or something in its way is no folder. */
async function copyOne(source: string, to: string, steps: readonly string[]): Promise<boolean> {
	const name = steps.at(-1) ?? '';
	let folder: FileHandle | undefined;
	try {
		folder = await openFolder(to, steps.slice(0, -1));
		if ((await lstat(resolveHeldPath(folder, name)).catch(() => undefined)) !== undefined) {
			return false;
		}
		const part = resolveHeldPath(folder, `${name}.${process.pid}.part`);
		try {
			await copyFile(source, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
			await rename(part, resolveHeldPath(folder, name));
		} catch (error) {
			await unlink(part).catch(() => undefined);
			throw error;
		}
		return true;
	} catch (error) {
		if (['ENOTDIR', 'ELOOP', 'EEXIST'].includes(findErrno(error) ?? '')) {
			return false;
		}
		throw error;
	} finally {
		await folder?.close();
	}
}

async function openFolder(root: string, steps: readonly string[]): Promise<FileHandle> {
	let folder = await open(root, asFolder);
	for (const step of steps) {
		const parent = folder;
		try {
			await mkdir(resolveHeldPath(parent, step), { mode: 0o700 }).catch((error: unknown) => {
				if (findErrno(error) !== 'EEXIST') throw error;
			});
			folder = await open(resolveHeldPath(parent, step), asFolder);
		} finally {
			await parent.close();
		}
	}
	return folder;
}

/** Whatever happens to the path of a folder that is held, this leads to what is in it. */
function resolveHeldPath(folder: FileHandle, name: string): string {
	return `/proc/self/fd/${folder.fd}/${name}`;
}
