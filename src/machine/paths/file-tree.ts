/**
 * Inspection, move and removal of a file, or of a folder with everything in it, through open folders. Links are entries
 * of their own and never followed. Inspected entries are stamped, so that a change in between is noticed.
 */
import { link, lstat, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno, fileError } from './file-error.ts';
import { FolderDescriptor } from './folder-descriptor.ts';
import { TREE_BYTES, TREE_ENTRIES } from './limits.ts';
import type { Located } from './workspace-paths.ts';

export interface FileTreeEntry {
	/** Names below the place that was looked at; empty: the place itself. */
	readonly below: readonly string[];
	readonly kind: 'file' | 'folder' | 'link' | 'other';
	/** Says whether it is still the same. */
	readonly stamp: string;
}

/** The place itself first, then what it holds, parents before children. */
export async function inspectTree(located: Located, signal: AbortSignal): Promise<readonly FileTreeEntry[]> {
	const start = splitRealPath(located);
	const name = start.at(-1) ?? '';
	const found: FileTreeEntry[] = [];
	let bytes = 0;
	const inspectEntry = async (folder: FolderDescriptor, entry: string, below: readonly string[]): Promise<void> => {
		signal.throwIfAborted();
		const stat = await lstat(folder.at(entry), { bigint: true });
		const isLink = stat.isSymbolicLink();
		const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : isLink ? 'link' : 'other';
		const changes = kind === 'folder' ? '' : `${stat.size}:${stat.mtimeNs}`;
		found.push({ below, kind, stamp: `${stat.dev}:${stat.ino}:${changes}` });
		bytes += kind === 'file' ? Number(stat.size) : 0;
		if (found.length > TREE_ENTRIES || bytes > TREE_BYTES) {
			const message = `${located.path} holds more than ${TREE_ENTRIES} entries or ${TREE_BYTES} bytes: do it in parts, or with a command`;
			throw new ProwessError('FILE_TOO_LARGE', message, {
				path: located.path,
				said: text('"{path}" holds more than {n} entries or {bytes} bytes.', {
					path: located.path,
					n: TREE_ENTRIES,
					bytes: TREE_BYTES,
				}),
			});
		}
		if (kind === 'folder') {
			await withFolderDescriptor(located.realRoot, [...start, ...below], async (inner) => {
				for (const child of await listDescriptorNames(inner)) {
					await inspectEntry(inner, child, [...below, child]);
				}
			});
		}
	};
	try {
		await withFolderDescriptor(located.realRoot, start.slice(0, -1), (parent) => inspectEntry(parent, name, []));
		return found;
	} catch (error) {
		signal.throwIfAborted();
		throw fileError('look at', located.path, error);
	}
}

/** Rejects with FILE_CHANGED when one entry is no longer what was looked at, or another has come. */
export async function refuseIfTreeChanged(
	located: Located,
	seen: readonly FileTreeEntry[],
	signal: AbortSignal,
): Promise<void> {
	const now = await inspectTree(located, signal);
	const same =
		now.length === seen.length &&
		now.every((entry, index) => entry.stamp === seen[index]?.stamp && sameNames(entry.below, seen[index].below));
	if (!same) {
		throw treeChangedError(located.path);
	}
}

/**
 * Removes the entries that were seen, children before parents. Entries that have appeared since then stay, and so do
 * their folders.
 */
export async function removeTree(located: Located, seen: readonly FileTreeEntry[], signal: AbortSignal): Promise<void> {
	const start = splitRealPath(located);
	try {
		for (const entry of seen.toReversed()) {
			signal.throwIfAborted();
			const names = [...start, ...entry.below];
			const name = names.pop() ?? '';
			await withFolderDescriptor(located.realRoot, names, async (folder) => {
				await refuseOther(folder, name, entry, located.path);
				await (entry.kind === 'folder' ? rmdir(folder.at(name)) : unlink(folder.at(name)));
				await folder.sync();
			});
		}
	} catch (error) {
		signal.throwIfAborted();
		const errno = findErrno(error);
		throw errno === 'ENOTEMPTY' || errno === 'EEXIST'
			? treeChangedError(located.path)
			: fileError('delete', located.path, error);
	}
}

/** Creates the folders on the way to the new place; never replaces what is there. */
export async function moveTree(
	from: Located,
	seen: readonly FileTreeEntry[],
	to: Located,
	signal: AbortSignal,
): Promise<void> {
	const [source, destination] = [splitRealPath(from), splitRealPath(to)];
	const [name, newName] = [source.pop() ?? '', destination.pop() ?? ''];
	const [top] = seen;
	if (top === undefined) {
		throw treeChangedError(from.path);
	}
	try {
		await withFolderDescriptor(from.realRoot, source, async (folder) => {
			const target = await FolderDescriptor.enter(to.realRoot, destination);
			try {
				await refuseOther(folder, name, top, from.path);
				await target.verify();
				signal.throwIfAborted();
				await (top.kind === 'folder' ? moveFolder : moveFile)(folder.at(name), target.at(newName), to.path);
				await target.sync();
			} finally {
				await target.close();
			}
			await folder.sync();
		});
	} catch (error) {
		signal.throwIfAborted();
		throw fileError('move', from.path, error);
	}
}

/** A link fails where a rename would replace; disks without links get the rename after a look. */
async function moveFile(from: string, to: string, path: string): Promise<void> {
	try {
		await link(from, to);
	} catch (error) {
		const errno = findErrno(error) ?? '';
		if (errno === 'EEXIST') {
			throw alreadyExistsError(path);
		}
		if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errno)) {
			throw error;
		}
		await moveFolder(from, to, path);
		return;
	}
	await unlink(from);
}

/** A rename replaces a folder only if it is empty, so what could appear between look and rename holds nothing. */
async function moveFolder(from: string, to: string, path: string): Promise<void> {
	const there = await lstat(to).catch((error: unknown) => {
		if (findErrno(error) === 'ENOENT') {
			return undefined;
		}
		throw error;
	});
	if (there !== undefined) {
		throw alreadyExistsError(path);
	}
	await rename(from, to);
}

export function alreadyExistsError(path: string): ProwessError {
	return new ProwessError('ALREADY_EXISTS', `${path} exists already: delete it first, or use another name`, { path });
}

async function withFolderDescriptor<T>(
	root: string,
	segments: readonly string[],
	act: (folder: FolderDescriptor) => Promise<T>,
): Promise<T> {
	const folder = await FolderDescriptor.reach(root, segments);
	try {
		const result = await act(folder);
		await folder.verify();
		return result;
	} finally {
		await folder.close();
	}
}

async function refuseOther(folder: FolderDescriptor, name: string, entry: FileTreeEntry, path: string): Promise<void> {
	await folder.verify();
	const stat = await lstat(folder.at(name), { bigint: true });
	const changes = entry.kind === 'folder' ? '' : `${stat.size}:${stat.mtimeNs}`;
	if (`${stat.dev}:${stat.ino}:${changes}` !== entry.stamp) {
		throw treeChangedError(path);
	}
}

/** Names in a folder, in order; at most `TREE_ENTRIES` and one. */
export async function listNamesIn(place: Pick<Located, 'realRoot' | 'realPath'>): Promise<string[]> {
	return await withFolderDescriptor(place.realRoot, splitRealPath(place), listDescriptorNames);
}

async function listDescriptorNames(folder: FolderDescriptor): Promise<string[]> {
	const names: string[] = [];
	for await (const { name } of await opendir(folder.at('.'))) {
		names.push(name);
		if (names.length > TREE_ENTRIES) {
			break;
		}
	}
	return names.sort();
}

function splitRealPath({ realRoot, realPath }: Pick<Located, 'realRoot' | 'realPath'>): string[] {
	return relative(realRoot, realPath)
		.split(sep)
		.filter((name) => name !== '');
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((name, index) => name === b[index]);
}

function treeChangedError(path: string): ProwessError {
	return new ProwessError('FILE_CHANGED', `${path} has changed since it was looked at`, { path });
}
