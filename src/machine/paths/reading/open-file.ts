/** Opens a located file through a verified descriptor, for as long as somebody reads it. */
import type { FileHandle } from 'node:fs/promises';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { fileError } from '../file-error.ts';
import { openVerified } from './verified-open.ts';
import type { Located } from '../workspace-paths.ts';

interface OpenedFile {
	readonly handle: FileHandle;
	/** In bytes, when it was opened. */
	readonly size: number;
}

/** Throws NOT_FOUND and NOT_A_FILE before it opens anything, and whatever fails as an error of the file. */
export async function withOpenFile<T>(
	located: Located,
	signal: AbortSignal,
	read: (file: OpenedFile) => Promise<T>,
): Promise<T> {
	signal.throwIfAborted();
	refuseUnlessFile(located);
	try {
		const handle = await openVerified(located.realPath, 'file');
		try {
			const stat = await handle.stat();
			if (!stat.isFile()) {
				throw new ProwessError('NOT_A_FILE', `${located.path} is not a regular file`, { path: located.path });
			}
			return await read({ handle, size: stat.size });
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal.throwIfAborted();
		throw fileError('read', located.path, error);
	}
}

export function refuseUnlessFile({ kind, path }: Located): void {
	if (kind === 'missing') {
		throw new ProwessError('NOT_FOUND', `${path} does not exist`, { path });
	}
	if (kind !== 'file') {
		throw new ProwessError('NOT_A_FILE', `${path} is ${kind === 'folder' ? 'a folder' : 'not a regular file'}`, {
			path,
		});
	}
}
