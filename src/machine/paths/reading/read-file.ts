/** Reads a located file or folder through a verified descriptor. */
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { fileError } from '../file-error.ts';
import { LIST_ENTRIES, LIST_SCAN_ENTRIES, TEXT_FILE_BYTES } from '../limits.ts';
import { withOpenFile } from './open-file.ts';
import { type DecodedText, decodeText } from './text-encoding.ts';
import { descriptorPath, hasDescriptorLinks, openVerified, verifyOpen } from './verified-open.ts';
import type { Located } from '../workspace-paths.ts';

export async function readBytes(located: Located, signal: AbortSignal): Promise<Buffer> {
	return await withOpenFile(located, signal, async ({ handle, size }) => {
		refuseLarge(located.path, size);
		return await readWholeFile(handle, located.path, size, signal);
	});
}

/**
 * Reads an open file, in a single step when its length is `size`: the read asks for a byte more, so a result of `size`
 * bytes means the end.
 */
async function readWholeFile(handle: FileHandle, path: string, size: number, signal: AbortSignal): Promise<Buffer> {
	signal.throwIfAborted();
	const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafeSlow(size + 1), position: null });
	if (bytesRead === size) {
		return buffer.subarray(0, size);
	}
	// The file has changed since it was measured, or came in pieces.
	const rest = await handle.readFile({ signal });
	const bytes = Buffer.concat([buffer.subarray(0, bytesRead), rest]);
	refuseLarge(path, bytes.length);
	return bytes;
}

export async function readLocatedText(located: Located, signal: AbortSignal): Promise<DecodedText> {
	return decodeText(located.path, await readBytes(located, signal), located.usualEncoding);
}

function refuseLarge(path: string, bytes: number): void {
	if (bytes > TEXT_FILE_BYTES) {
		throw new ProwessError('FILE_TOO_LARGE', `${path} has ${bytes} bytes, more than the limit of ${TEXT_FILE_BYTES}`, {
			path,
			bytes,
			limit: TEXT_FILE_BYTES,
		});
	}
}

interface FolderEntry {
	readonly name: string;
	readonly kind: 'file' | 'folder' | 'link';
	readonly size?: number;
}

/** Folders first, then by name. Links are named, never followed. */
export async function listFolder(
	located: Located,
	signal: AbortSignal,
): Promise<{ entries: FolderEntry[]; truncated: boolean }> {
	signal.throwIfAborted();
	if (located.kind === 'missing') {
		throw new ProwessError('NOT_FOUND', `${located.path} does not exist`, { path: located.path });
	}
	if (located.kind !== 'folder') {
		throw new ProwessError('NOT_A_FOLDER', `${located.path} is not a folder`, { path: located.path });
	}
	try {
		if (!hasDescriptorLinks) {
			return await listAt(located.realPath, signal);
		}
		const handle = await openVerified(located.realPath, 'folder');
		try {
			const listed = await listAt(descriptorPath(handle), signal);
			await verifyOpen(handle, located.realPath);
			return listed;
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal.throwIfAborted();
		throw fileError('list', located.path, error);
	}
}

async function listAt(folder: string, signal: AbortSignal): Promise<{ entries: FolderEntry[]; truncated: boolean }> {
	const all: { name: string; kind: FolderEntry['kind'] }[] = [];
	let truncated = false;
	for await (const entry of await opendir(folder)) {
		signal.throwIfAborted();
		if (all.length >= LIST_SCAN_ENTRIES) {
			truncated = true;
			break;
		}
		all.push({ name: entry.name, kind: entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file' });
	}
	all.sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder') || (a.name < b.name ? -1 : 1));
	const shown = all.slice(0, LIST_ENTRIES);
	const entries = await Promise.all(
		shown.map(async (entry) => {
			const size = entry.kind === 'file' ? (await findFileStats(join(folder, entry.name)))?.size : undefined;
			return size === undefined ? entry : { ...entry, size };
		}),
	);
	return { entries, truncated: truncated || all.length > shown.length };
}

/** Another text once the file has changed; empty where there is none. Reads nothing of it. */
export async function markFile(path: string): Promise<string> {
	const stats = await findFileStats(path);
	return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs}`;
}

async function findFileStats(path: string): Promise<Stats | undefined> {
	try {
		return await lstat(path);
	} catch {
		// Gone since it was listed: shown without a size.
		return undefined;
	}
}
