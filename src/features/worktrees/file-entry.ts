/** Reads what lies at a path: the bytes of a file, or where a link leads. Links are never followed. */
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno } from '../../machine/paths/file-error.ts';
import { HOME_FILE_BYTES } from './limits.ts';

export type FileEntry =
	| { readonly kind: 'file'; readonly bytes: Buffer; readonly isExecutable: boolean; readonly permissions: number }
	| { readonly kind: 'link'; readonly target: string }
	/** Never written over, as a pipe or a device is not. */
	| { readonly kind: 'folder' }
	| { readonly kind: 'other' };

/** Undefined: nothing is there. Rejects with FILE_TOO_LARGE beyond what can be compared. */
export async function readEntry(path: string): Promise<FileEntry | undefined> {
	try {
		const stats = await lstat(path);
		if (stats.isSymbolicLink()) return { kind: 'link', target: await readlink(path) };
		if (!stats.isFile()) return { kind: stats.isDirectory() && !path.endsWith('/') ? 'folder' : 'other' };
		if (stats.size > HOME_FILE_BYTES) {
			throw new ProwessError('FILE_TOO_LARGE', `${path} has more than ${HOME_FILE_BYTES} bytes`, {
				path,
				said: text('{path} is too large to be compared. Copy it yourself.', { path }),
			});
		}
		const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
		try {
			const opened = await file.stat();
			// Another program may have put something else there since.
			if (!opened.isFile()) return { kind: 'other' };
			const permissions = opened.mode & 0o777;
			return { kind: 'file', bytes: await file.readFile(), isExecutable: (permissions & 0o100) !== 0, permissions };
		} finally {
			await file.close();
		}
	} catch (error) {
		if (findErrno(error) === 'ENOENT' || findErrno(error) === 'ENOTDIR') return undefined;
		throw error;
	}
}

export function isSameEntry(one: FileEntry | undefined, other: FileEntry | undefined): boolean {
	if (one === undefined || other === undefined) return one === other;
	if (one.kind === 'file') {
		return other.kind === 'file' && one.isExecutable === other.isExecutable && one.bytes.equals(other.bytes);
	}
	return one.kind === 'link' ? other.kind === 'link' && one.target === other.target : other.kind === one.kind;
}
