/**
 * The one reader of files that others made: of a workspace, of a capability, of a home that other programs write. A link
 * is not followed where it leads out of the folders that the file may lie in. Anything but a regular file (a device, a
 * pipe, a socket, a folder) is refused once it is open, so that no read waits for it or goes on without an end.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { FILE_READ_MS } from '../limits.ts';
import { hasDescriptorLinks, isSamePath, openVerified } from './verified-open.ts';

/**
 * All bytes of the file at `realPath`, which is free of links. Rejects, with the reason in words, where it is no regular file, has
 * more than `maxBytes`, grows meanwhile, or is not read within 10 s, as on a disk that has gone; with FILE_CHANGED where
 * a link has taken its place; and as the system does.
 */
export async function readRegularFile(realPath: string, maxBytes: number): Promise<Buffer> {
	return await withinReadLimit(async () => {
		await using file = await openVerified(realPath, 'file');
		const { size } = refuseUnlessRegular(await file.stat(), maxBytes);
		// Ask for a byte more than there is, to see the end.
		const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafeSlow(size + 1), position: 0 });
		if (bytesRead !== size) throw new Error('it changed while it was read');
		return buffer.subarray(0, size);
	});
}

/** The first bytes of the file at `realPath`, at most `maxBytes`, however large it is. Rejects as `readRegularFile` does. */
export async function readFileStart(realPath: string, maxBytes: number): Promise<Buffer> {
	return await withinReadLimit(async () => {
		await using file = await openVerified(realPath, 'file');
		refuseUnlessRegular(await file.stat(), Number.POSITIVE_INFINITY);
		const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(maxBytes), position: 0 });
		return buffer.subarray(0, bytesRead);
	});
}

/**
 * The same as `readRegularFile`, for callers that cannot wait. `within`: the folders that the file may lie in once links
 * are followed; undefined: links are the user's own, and may lead anywhere.
 */
export function readRegularFileSync(path: string, maxBytes: number, within?: readonly string[]): Buffer {
	const realPath = realpathSync(path);
	if (within?.some((folder) => isBelow(realPath, realpathSync(folder))) === false) {
		throw new Error('it is a link that leads out of its folder');
	}
	return readStartSync(realPath, maxBytes, true);
}

/** The text of a file as `readRegularFileSync` reads it; empty where that throws. */
export function readTextOrEmpty(path: string, maxBytes: number, within?: readonly string[]): string {
	try {
		return readRegularFileSync(path, maxBytes, within).toString('utf8');
	} catch {
		return '';
	}
}

/** The first bytes of the file that `path` leads to, at most `maxBytes`, however large it is. */
export function readFileStartSync(path: string, maxBytes: number): Buffer {
	return readStartSync(realpathSync(path), maxBytes, false);
}

function readStartSync(realPath: string, maxBytes: number, isWhole: boolean): Buffer {
	const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	const file = openSync(realPath, flags);
	try {
		if (hasDescriptorLinks && !isSamePath(readlinkSync(`/proc/self/fd/${file}`), realPath)) {
			throw new Error('it was moved or replaced by a link while it was opened');
		}
		const { size } = refuseUnlessRegular(fstatSync(file), isWhole ? maxBytes : Number.POSITIVE_INFINITY);
		const bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, size) + 1);
		let length = 0;
		for (let got = -1; got !== 0 && length < bytes.length; length += got) {
			got = readSync(file, bytes, length, bytes.length - length, length);
		}
		if (isWhole && length !== size) throw new Error('it changed while it was read');
		return bytes.subarray(0, Math.min(length, maxBytes));
	} finally {
		closeSync(file);
	}
}

function refuseUnlessRegular(stats: Stats, maxBytes: number): Stats {
	if (!stats.isFile()) throw new Error('it is not a regular file');
	if (stats.size > maxBytes) throw new Error(`${stats.size} bytes, the limit is ${maxBytes}`);
	return stats;
}

/** A read that has begun cannot be taken back; it ends without anybody who waits. */
async function withinReadLimit<T>(read: () => Promise<T>): Promise<T> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		late.reject(new Error(`it was not read within ${FILE_READ_MS / 1_000} s`));
	}, FILE_READ_MS);
	try {
		return await Promise.race([read(), late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

function isBelow(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way !== '' && !/^\.\.(?:[/\\]|$)/.test(way) && way !== path;
}

/** `path`, free of the links above `folder`. Rejects where it, or a folder between the two, is a link; and where it is not there. */
export async function unlinkedPath(path: string, folder: string): Promise<string> {
	const place = join(await realpath(folder), relative(folder, path));
	if (!isSamePath(await realpath(place), place)) {
		throw new Error('it is a link, or lies in a folder that is one');
	}
	return place;
}
