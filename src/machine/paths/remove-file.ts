/** Removes one file, or one empty folder, below a root that is free of links. Links are never followed. */
import type { Stats } from 'node:fs';
import { lstat, rmdir, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { FolderDescriptor } from './folder-descriptor.ts';
import type { Located } from './workspace-paths.ts';

type RemovedPlace = Pick<Located, 'realRoot' | 'realPath' | 'path'>;

/** Rejects with FILE_CHANGED when it is no regular file any more. */
export async function removeFile(place: RemovedPlace): Promise<void> {
	await removeUnless(place, 'no longer a regular file', (stats) => !stats.isFile());
}

/** Removes a pipe, a socket or a device. Rejects with FILE_CHANGED when it is anything else by then. */
export async function removeOdd(place: RemovedPlace): Promise<void> {
	const isOther = (stats: Stats) => stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
	await removeUnless(place, 'neither a pipe, a socket nor a device', isOther);
}

async function removeUnless(
	{ realRoot, realPath, path }: RemovedPlace,
	what: string,
	isOther: (stats: Stats) => boolean,
): Promise<void> {
	const { folder, name } = await openParentFolder(realRoot, realPath);
	try {
		const target = folder.at(name);
		if (isOther(await lstat(target))) {
			throw new ProwessError('FILE_CHANGED', `${path} is ${what}`, { path });
		}
		await folder.verify();
		await unlink(target);
		await folder.sync();
	} finally {
		await folder.close();
	}
}

/** Resolves with false when something else is in it, or it went by itself: then it is nobody's to remove. */
export async function removeEmptyFolder(realRoot: string, realPath: string): Promise<boolean> {
	try {
		const { folder, name } = await openParentFolder(realRoot, realPath);
		try {
			await folder.verify();
			await rmdir(folder.at(name));
			return true;
		} finally {
			await folder.close();
		}
	} catch {
		return false;
	}
}

async function openParentFolder(realRoot: string, realPath: string) {
	const below = relative(realRoot, realPath).split(sep);
	const name = below.pop() ?? '';
	return { folder: await FolderDescriptor.reach(realRoot, below), name };
}
