/**
 * Opens the located file and no other. A path that was checked and is then opened by its name can be another file by
 * then, so the check is made on the open object: on Linux the descriptor itself says where its object lies.
 *
 * Elsewhere Node offers no such question. On those systems the object is compared with what the path names after the
 * opening, which notices links that stay, but not an attacker who swaps them back in time; the sandbox contains that
 * attack.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { foldName } from '../names/name-rules.ts';
import { retryWhenStarved } from '../retry-when-starved.ts';

export const hasDescriptorLinks = process.platform === 'linux';

/** Names below an open folder, whatever its own path has become. */
export function descriptorPath(handle: FileHandle): string {
	return `/proc/self/fd/${handle.fd}`;
}

/** Not supported on every system: there they are 0. `O_NONBLOCK` keeps a pipe without a writer from blocking us. */
const readFlags = constants.O_RDONLY | resolveOpenFlag('O_NOFOLLOW') | resolveOpenFlag('O_NONBLOCK');

/** `realPath` is free of links, as `locate` found it. Rejects with FILE_CHANGED when something else is there now. */
export async function openVerified(realPath: string, kind: 'file' | 'folder'): Promise<FileHandle> {
	const flags = kind === 'folder' ? readFlags | resolveOpenFlag('O_DIRECTORY') : readFlags;
	const handle = await retryWhenStarved(() => open(realPath, flags));
	try {
		await verifyOpen(handle, realPath);
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
}

export async function verifyOpen(handle: FileHandle, realPath: string): Promise<void> {
	if (hasDescriptorLinks) {
		if (!isSamePath(await readlink(descriptorPath(handle)), realPath)) {
			throw fileMovedError(realPath);
		}
		return;
	}
	const [opened, now, named] = await Promise.all([
		handle.stat({ bigint: true }),
		realpath(realPath),
		lstat(realPath, { bigint: true }),
	]);
	if (!isSamePath(now, realPath) || opened.dev !== named.dev || opened.ino !== named.ino) {
		throw fileMovedError(realPath);
	}
}

/** Some disks hold names in another case or composition than they were asked for. */
export function isSamePath(a: string, b: string): boolean {
	return a === b || a.split(/[/\\]/).map(foldName).join('/') === b.split(/[/\\]/).map(foldName).join('/');
}

function fileMovedError(path: string): ProwessError {
	return new ProwessError('FILE_CHANGED', `${path} was moved or replaced by a link while it was opened`, { path });
}

function resolveOpenFlag(name: 'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_DIRECTORY'): number {
	return (constants as Readonly<Record<string, number | undefined>>)[name] ?? 0;
}
