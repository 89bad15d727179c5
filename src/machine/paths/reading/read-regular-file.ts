/**
 * Reads a small file that somebody else made, by its place on the disk. Anything but a file (a device, a pipe, a
 * folder) is refused once it is open, so that no read waits for it or goes on without an end.
 */
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isSamePath, openVerified } from './verified-open.ts';

/**
 * All bytes of the file at `realPath`, which is free of links. Rejects, with the reason in words, where it is no regular file, has
 * more than `maxBytes`, or grows meanwhile; with FILE_CHANGED where a link has taken its place; and as the system does.
 */
export async function readRegularFile(realPath: string, maxBytes: number): Promise<Buffer> {
	await using file = await openVerified(realPath, 'file');
	const stats = await file.stat();
	if (!stats.isFile()) throw new Error('it is not a regular file');
	const { size } = stats;
	if (size > maxBytes) throw new Error(`${size} bytes, the limit is ${maxBytes}`);
	// Ask for a byte more than there is, to see the end.
	const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafeSlow(size + 1), position: 0 });
	if (bytesRead !== size) throw new Error('it changed while it was read');
	return buffer.subarray(0, size);
}

/** `path`, free of the links above `folder`. Rejects where it, or a folder between the two, is a link; and where it is not there. */
export async function unlinkedPath(path: string, folder: string): Promise<string> {
	const place = join(await realpath(folder), relative(folder, path));
	if (!isSamePath(await realpath(place), place)) {
		throw new Error('it is a link, or lies in a folder that is one');
	}
	return place;
}
