/**
 * Puts a file, a link or an empty folder in the place of what has its name, or removes that. Works in the open folder of the
 * name, follows no link and does nothing unless there is what the caller saw. A link replaces a file, and a file a link, in one
 * step; where a folder comes or goes, nothing has the name for a moment.
 */
import { chmod, lstat, mkdir, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { fileError, findErrno } from './file-error.ts';
import { FolderDescriptor } from './folder-descriptor.ts';
import { temporaryName } from './temporary-names.ts';
import type { LocatedEntry } from './workspace-paths.ts';
import { contentChangedError, refuseUnlessHeld, writeBytes } from './write-file.ts';

export type ReplacedEntry =
	| { readonly kind: 'none' }
	| { readonly kind: 'file'; readonly bytes: Buffer; readonly permissions: number }
	| { readonly kind: 'link'; readonly target: string }
	| { readonly kind: 'folder'; readonly permissions: number };

/** The system found something else there. */
const TAKEN: ReadonlySet<string> = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR']);

type EntryPlace = Pick<LocatedEntry, 'realRoot' | 'realPath' | 'path'>;

/** Rejects with FILE_CHANGED when something else than `from` is there, or where its folder was, and when a folder that is to go holds something. */
export async function replaceEntry(
	place: EntryPlace,
	from: ReplacedEntry,
	to: ReplacedEntry,
	signal: AbortSignal,
): Promise<void> {
	const { path } = place;
	signal.throwIfAborted();
	try {
		if (to.kind === 'file' && from.kind !== 'folder') {
			await writeBytes(place, from.kind === 'file' ? from.bytes : from.kind === 'link' ? from : undefined, to, signal);
			return;
		}
		await withinFolder(place, async (folder, name) => {
			const target = folder.at(name);
			await refuseUnlessEntry(target, path, from);
			await folder.verify();
			if (to.kind === 'link' && (from.kind === 'file' || from.kind === 'link')) {
				await replaceByLink(folder, name, to.target, () => refuseUnlessEntry(target, path, from));
				return;
			}
			await removeChecked(target, path, from);
			if (to.kind === 'link') await makeNew(path, () => symlink(to.target, target));
			if (to.kind === 'folder') await makeNew(path, () => putFolder(folder, name, to.permissions));
		});
		if (to.kind === 'file') await writeBytes(place, undefined, to, signal);
	} catch (error) {
		signal.throwIfAborted();
		const { code, facts } = fileError('write', path, error);
		// A file or a link has taken the place of its folder.
		const isTaken = code === 'NOT_A_FOLDER' || facts['errno'] === 'ELOOP';
		throw isTaken ? contentChangedError(path) : fileError('write', path, error);
	}
}

async function withinFolder(
	{ realRoot, realPath }: EntryPlace,
	act: (folder: FolderDescriptor, name: string) => Promise<void>,
): Promise<void> {
	const below = relative(realRoot, realPath).split(sep);
	const name = below.pop() ?? '';
	const folder = await FolderDescriptor.enter(realRoot, below);
	try {
		await act(folder, name);
		await folder.sync();
	} finally {
		await folder.close();
	}
}

/** A folder shows whether it is empty only when it is removed. */
async function refuseUnlessEntry(target: string, path: string, from: ReplacedEntry): Promise<void> {
	if (from.kind === 'none' || from.kind === 'folder') {
		const stat = await lstat(target).catch((error: unknown) => {
			if (findErrno(error) === 'ENOENT') return undefined;
			throw error;
		});
		if (from.kind === 'none' ? stat === undefined : stat?.isDirectory() === true) return;
		throw contentChangedError(path);
	}
	await refuseUnlessHeld(target, path, from.kind === 'file' ? from.bytes : from);
}

async function removeChecked(target: string, path: string, from: ReplacedEntry): Promise<void> {
	if (from.kind === 'none') return;
	try {
		await (from.kind === 'folder' ? rmdir(target) : unlink(target));
	} catch (error) {
		if (TAKEN.has(findErrno(error) ?? '')) {
			throw new ProwessError('FILE_CHANGED', `${path} holds what others have put there`, { path });
		}
		throw error;
	}
}

async function replaceByLink(
	folder: FolderDescriptor,
	name: string,
	leadsTo: string,
	refuseUnlessThere: () => Promise<void>,
): Promise<void> {
	const temporary = folder.at(temporaryName(name));
	await symlink(leadsTo, temporary);
	try {
		await refuseUnlessThere();
		await folder.verify();
		await rename(temporary, folder.at(name));
	} catch (error) {
		await unlink(temporary).catch(() => undefined);
		throw error;
	}
}

/** Replaces nothing that has appeared meanwhile, but an empty folder by a folder. */
async function makeNew(path: string, make: () => Promise<void>): Promise<void> {
	try {
		await make();
	} catch (error) {
		throw TAKEN.has(findErrno(error) ?? '') ? contentChangedError(path) : error;
	}
}

/** With its permissions from the start: the process has a mask of its own for what it creates. */
async function putFolder(folder: FolderDescriptor, name: string, permissions: number): Promise<void> {
	const temporary = folder.at(temporaryName(name));
	await mkdir(temporary, 0o700);
	try {
		await chmod(temporary, permissions);
		await folder.verify();
		await rename(temporary, folder.at(name));
	} catch (error) {
		await rmdir(temporary).catch(() => undefined);
		throw error;
	}
}
