/**
 * Content of what stands under a name, for a comparison with what it was before: the text of a file, or a mark that stands for
 * what is no text: bytes, a link, a folder. A mark is never written to a file.
 */
import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { fileError } from '../file-error.ts';
import { FolderDescriptor } from '../folder-descriptor.ts';
import type { Located, LocatedEntry } from '../workspace-paths.ts';
import { readBytes } from './read-file.ts';
import { readableText } from './text-encoding.ts';

/** Also begins the marks of links and folders: each version knows that no text is meant. */
const BYTES_MARK = '\0bytes ';
const LINK_MARK = `${BYTES_MARK}link `;

export const FOLDER_MARK = `${BYTES_MARK}folder`;

/** Rejects with FILE_TOO_LARGE as reading a text does. */
export async function readContent(located: Located, signal: AbortSignal): Promise<string> {
	return contentIn(await readBytes(located, signal), located.usualEncoding);
}

/** The same of bytes that were read. */
export function contentIn(bytes: Buffer, usualEncoding: string | undefined): string {
	return readableText(bytes, usualEncoding)?.text ?? `${BYTES_MARK}${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The same of what has that name itself: a link is not followed. Undefined: nothing has it. */
export async function readEntryContent(entry: LocatedEntry, signal: AbortSignal): Promise<string | undefined> {
	switch (entry.kind) {
		case 'missing':
			return undefined;
		case 'link':
			return linkMark(await readLinkTarget(entry));
		case 'folder':
			return FOLDER_MARK;
		default:
			return await readContent({ ...entry, kind: entry.kind }, signal);
	}
}

/** Where a link leads, as it says so itself. Rejects when its target is no text, which cannot be kept. */
export async function readLinkTarget({ realRoot, realPath, path }: LocatedEntry): Promise<string> {
	const below = relative(realRoot, realPath).split(sep);
	const name = below.pop() ?? '';
	try {
		const folder = await FolderDescriptor.reach(realRoot, below);
		try {
			const target = linkTargetIn(await readlink(folder.at(name), { encoding: 'buffer' }));
			await folder.verify();
			if (target !== undefined) return target;
		} finally {
			await folder.close();
		}
	} catch (error) {
		throw fileError('read', path, error);
	}
	throw new ProwessError('FILE_IS_BINARY', `the target of the link ${path} is no UTF-8 text`, { path });
}

/** Undefined: it is no text, so it cannot be kept. */
export function linkTargetIn(bytes: Uint8Array): string | undefined {
	const target = Buffer.from(bytes).toString('utf8');
	return Buffer.from(target).equals(bytes) ? target : undefined;
}

export function linkMark(target: string): string {
	return `${LINK_MARK}${target}`;
}

/** Also true of a text that looks like a mark: then it is treated as carefully. */
export function standsForBytes(content: string | null | undefined): content is string {
	return content?.startsWith(BYTES_MARK) === true;
}

/** Kind of what a mark stands for that is no file; undefined of a text and of bytes. */
export function entryOfMark(content: string | null | undefined): 'link' | 'folder' | undefined {
	return content === FOLDER_MARK ? 'folder' : content?.startsWith(LINK_MARK) === true ? 'link' : undefined;
}

/** Text that a person reads in the place of a mark: where a link leads; nothing of a folder and of bytes. */
export function textOfMark(content: string | undefined): string {
	return content?.startsWith(LINK_MARK) === true ? content.slice(LINK_MARK.length) : '';
}
