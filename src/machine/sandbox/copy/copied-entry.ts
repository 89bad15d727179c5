/**
 * Single entry of the workspace and of its copy: its kind, the state that tells whether it has changed, and the way a
 * file is copied.
 */
import { type BigIntStats, constants } from 'node:fs';
import { copyFile, type FileHandle, lstat, open } from 'node:fs/promises';
import { findErrno } from '../../paths/file-error.ts';
import { descriptorPath } from '../../paths/reading/verified-open.ts';

export type EntryKind = 'file' | 'folder' | 'other';

/** False: there is no file any more. */
export async function copyOpened(from: string, to: string): Promise<boolean> {
	let file: FileHandle;
	try {
		// A pipe in its place would keep us waiting.
		file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch (error) {
		if (['ENOENT', 'ELOOP', 'ENXIO'].includes(findErrno(error) ?? '')) return false;
		throw error;
	}
	try {
		if (!(await file.stat()).isFile()) return false;
		await copyFile(descriptorPath(file), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
		return true;
	} finally {
		await file.close();
	}
}

export function toEntryKind(stat: BigIntStats): EntryKind {
	return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
}

/** Returns a text that differs once the entry has changed: its mode, size and modification time. */
export function formatEntryState(stat: BigIntStats): string {
	return `${stat.mode.toString(8)} ${stat.size} ${stat.mtimeNs}`;
}

export function modeIn(state: string): string {
	return state.slice(0, state.indexOf(' '));
}

export function sizeIn(state: string): number {
	return Number(state.split(' ')[1]);
}

export async function findEntryStats(path: string): Promise<BigIntStats | undefined> {
	try {
		return await lstat(path, { bigint: true });
	} catch {
		// Gone meanwhile, or nobody may look at it: then it is not in the copy, either.
		return undefined;
	}
}
