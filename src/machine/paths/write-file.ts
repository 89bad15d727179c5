/**
 * Replaces or creates one file, wholly or not at all: a new file beside it, made durable, then renamed over it.
 * The file must still hold what the caller last saw. A write by somebody else between that last look and the rename
 * (microseconds) is lost here and kept in the before-image; a rename on condition does not exist.
 */
import { constants } from 'node:fs';
import { access, link, lstat, open, readFile, readlink, rename, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { findErrno, fileError } from './file-error.ts';
import { FolderDescriptor } from './folder-descriptor.ts';
import { readBytes } from './reading/read-file.ts';
import { retryWhenStarved } from './retry-when-starved.ts';
import { temporaryName } from './temporary-names.ts';
import { decodeText, encodeNew, encodeText } from './reading/text-encoding.ts';
import type { Located } from './workspace-paths.ts';

/** `before` is the text the file must still hold; undefined: it must not exist. Encoding, BOM and mode are kept; a new file gets the usual encoding. */
export async function writeText(
	located: Located,
	before: string | undefined,
	after: string,
	signal: AbortSignal,
): Promise<void> {
	signal.throwIfAborted();
	if (before === undefined) {
		await replaceContent(located, undefined, encodeNew(after, located.usualEncoding), signal);
		return;
	}
	const bytes = await readBytes(located, signal);
	const { text, encoding } = decodeText(located.path, bytes, located.usualEncoding);
	if (text !== before) {
		throw contentChangedError(located.path);
	}
	await replaceContent(located, bytes, encodeText(located.path, after, encoding), signal);
}

/** A link that is still there, and where it leads. */
interface ExpectedLink {
	readonly target: string;
}

type WrittenPlace = Pick<Located, 'realRoot' | 'realPath' | 'path'>;

/**
 * The same for bytes, with permissions of its own. `before` is what the file must still hold, or the link that it replaces;
 * undefined: it must not exist.
 */
export async function writeBytes(
	located: WrittenPlace,
	before: Buffer | ExpectedLink | undefined,
	after: { readonly bytes: Buffer; readonly permissions: number },
	signal: AbortSignal,
): Promise<void> {
	signal.throwIfAborted();
	await replaceContent(located, before, after.bytes, signal, after.permissions);
}

async function replaceContent(
	located: WrittenPlace,
	expected: Buffer | ExpectedLink | undefined,
	bytes: Buffer,
	signal: AbortSignal,
	permissions?: number,
): Promise<void> {
	const below = relative(located.realRoot, located.realPath).split(sep);
	const name = below.pop() ?? '';
	try {
		const folder = await FolderDescriptor.enter(located.realRoot, below);
		try {
			await replaceInFolder(folder, { name, path: located.path, expected, permissions }, bytes, signal);
		} finally {
			await folder.close();
		}
	} catch (error) {
		signal.throwIfAborted();
		throw fileError('write', located.path, error);
	}
}

interface Replaced {
	readonly name: string;
	readonly path: string;
	readonly expected: Buffer | ExpectedLink | undefined;
	/** Undefined: those of the file that is replaced, or of a new one. */
	readonly permissions: number | undefined;
}

async function replaceInFolder(
	folder: FolderDescriptor,
	{ name, path, expected, permissions }: Replaced,
	bytes: Buffer,
	signal: AbortSignal,
): Promise<void> {
	const target = folder.at(name);
	const isLink = expected !== undefined && !Buffer.isBuffer(expected);
	const current = isLink ? undefined : await readReplaceableMode(target, path, expected !== undefined);
	const mode = permissions ?? current;
	const temporary = folder.at(temporaryName(name));
	const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
	const handle = await retryWhenStarved(() => open(temporary, flags, mode === undefined ? 0o666 : 0o600));
	try {
		try {
			await handle.writeFile(bytes, { signal });
			if (mode !== undefined) {
				await handle.chmod(mode);
			}
			await handle.sync();
		} finally {
			await handle.close();
		}
		await refuseUnlessHeld(target, path, expected);
		await folder.verify();
		signal.throwIfAborted();
		await (expected === undefined ? moveToNew(temporary, target, path) : rename(temporary, target));
	} catch (error) {
		await unlink(temporary).catch(() => undefined);
		throw error;
	}
	await folder.sync();
	if (!(await readNoFollow(target)).equals(bytes)) {
		throw new ProwessError(
			'FILE_CHANGED',
			`${path} does not hold what was written: something else wrote it at the same time`,
			{
				path,
			},
		);
	}
}

/** Rejects with FILE_CHANGED unless the file still holds these bytes, or the link still leads there. */
export async function refuseUnlessHeld(
	target: string,
	path: string,
	expected: Buffer | ExpectedLink | undefined,
): Promise<void> {
	try {
		const isHeld =
			expected === undefined ||
			(Buffer.isBuffer(expected)
				? (await readNoFollow(target)).equals(expected)
				: (await readlink(target)) === expected.target);
		if (isHeld) return;
	} catch (error) {
		if (!['EINVAL', 'ELOOP', 'ENOENT', 'EISDIR'].includes(findErrno(error) ?? '')) {
			throw error;
		}
	}
	throw contentChangedError(path);
}

/** Permissions of the file to be replaced; undefined for a new one. Rejects unless it may be replaced. */
async function readReplaceableMode(target: string, path: string, mustExist: boolean): Promise<number | undefined> {
	try {
		const stat = await lstat(target);
		if (!mustExist) {
			throw contentChangedError(path);
		}
		if (!stat.isFile()) {
			throw new ProwessError('FILE_CHANGED', `${path} is no longer a regular file`, { path });
		}
		if (stat.nlink !== 1) {
			const message = `${path} has ${stat.nlink} hard links: writing would separate it from its other names`;
			throw new ProwessError('FILE_HAS_OTHER_NAMES', message, { path, links: stat.nlink });
		}
		// A rename needs no right on the file itself, but replacing a read-only file is not what its owner meant.
		await access(target, constants.W_OK);
		return stat.mode & 0o7777;
	} catch (error) {
		if (findErrno(error) !== 'ENOENT') {
			throw error;
		}
		if (mustExist) {
			throw contentChangedError(path);
		}
		return undefined;
	}
}

/** A link fails where a rename would replace what has appeared meanwhile; disks without links get the rename. */
async function moveToNew(temporary: string, target: string, path: string): Promise<void> {
	try {
		await link(temporary, target);
	} catch (error) {
		const errno = findErrno(error);
		if (errno === 'EEXIST') {
			throw contentChangedError(path);
		}
		if (
			errno !== 'EPERM' &&
			errno !== 'ENOTSUP' &&
			errno !== 'EOPNOTSUPP' &&
			errno !== 'ENOSYS' &&
			errno !== 'EMLINK'
		) {
			throw error;
		}
		await rename(temporary, target);
		return;
	}
	await unlink(temporary);
}

async function readNoFollow(target: string): Promise<Buffer> {
	const flag = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	return readFile(target, { flag });
}

export function contentChangedError(path: string): ProwessError {
	return new ProwessError('FILE_CHANGED', `${path} has changed since it was read: read it again`, { path });
}
