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

/** Bytes of each of two files that are compared at a time. */
const COMPARED_BYTES = 1_048_576;

/** True when both are files that hold the same; no more than a piece of each is held. */
export async function holdSame(path: string, other: string): Promise<boolean> {
	const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
	await using one = await open(path, flags);
	await using two = await open(other, flags);
	if (!(await one.stat()).isFile() || !(await two.stat()).isFile()) return false;
	const pieces = [Buffer.allocUnsafe(COMPARED_BYTES), Buffer.allocUnsafe(COMPARED_BYTES)] as const;
	for (let at = 0; ; at += COMPARED_BYTES) {
		const [first, second] = await Promise.all([
			one.read(pieces[0], 0, COMPARED_BYTES, at),
			two.read(pieces[1], 0, COMPARED_BYTES, at),
		]);
		const read = pieces[0].subarray(0, first.bytesRead);
		if (!read.equals(pieces[1].subarray(0, second.bytesRead))) return false;
		if (first.bytesRead < COMPARED_BYTES) return true;
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
