/** Opens a regular file with one name for a stream, through its folder and without following links. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { findErrno, fileError } from '../../machine/paths/file-error.ts';
import { FolderDescriptor } from '../../machine/paths/folder-descriptor.ts';
import { verifyOpen } from '../../machine/paths/reading/verified-open.ts';
import { retryWhenStarved } from '../../machine/paths/retry-when-starved.ts';

interface StreamFile {
	/** Folder from which each step is made without a link. */
	readonly realRoot: string;
	readonly realPath: string;
	/** Path to name in errors. */
	readonly shown: string;
}

/** `access`: flags of the system. Rejects with FILE_CHANGED when something else is there now. */
export async function openStreamFile(file: StreamFile, access: number): Promise<FileHandle> {
	const { realRoot, realPath, shown } = file;
	const below = relative(realRoot, realPath).split(sep);
	const name = below.pop() ?? '';
	const flags = access | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	try {
		const folder = await FolderDescriptor.reach(realRoot, below);
		try {
			const path = folder.at(name);
			if (!(await mayBeOpened(path, access))) {
				throw streamFileChanged(shown);
			}
			const handle = await retryWhenStarved(() => open(path, flags, 0o666));
			try {
				await verifyFile(handle, file, access);
				await folder.verify();
				return handle;
			} catch (error) {
				await handle.close();
				throw error;
			}
		} finally {
			await folder.close();
		}
	} catch (error) {
		throw findErrno(error) === 'EEXIST' || findErrno(error) === 'ELOOP'
			? streamFileChanged(shown)
			: fileError((access & constants.O_WRONLY) === 0 ? 'read' : 'write', shown, error);
	}
}

export function streamFileChanged(path: string): ProwessError {
	return new ProwessError('FILE_CHANGED', `${path} was replaced since it was looked at`, { path });
}

/** To open a pipe of the system is an effect by itself. */
async function mayBeOpened(path: string, access: number): Promise<boolean> {
	try {
		return (await lstat(path)).isFile();
	} catch (error) {
		if (findErrno(error) === 'ENOENT' && (access & constants.O_CREAT) !== 0) {
			return true;
		}
		throw error;
	}
}

async function verifyFile(handle: FileHandle, { realPath, shown }: StreamFile, access: number): Promise<void> {
	const stat = await handle.stat();
	if (!stat.isFile()) {
		throw streamFileChanged(shown);
	}
	await verifyOpen(handle, realPath);
	if ((access & constants.O_WRONLY) !== 0 && stat.nlink !== 1) {
		const message = `${shown} has ${stat.nlink} hard links: writing would change its other names, too`;
		throw new ProwessError('FILE_HAS_OTHER_NAMES', message, { path: shown, links: stat.nlink });
	}
}
