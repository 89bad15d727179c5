/** Reads the manifests in a folder, and again only when they have changed. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { closeSync, constants, fstatSync, open, read, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeUtf16 } from '../../../base/text/utf16.ts';
import { CAPABILITY_MANIFESTS, EXECUTOR_FILES, isReadBeside } from '../../../protocol/capability/manifest.ts';
import { MAX_MANIFEST_BYTES } from '../../../protocol/capability/limits.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../../protocol/manifest/problem.ts';
import { text, type Text } from '../../../protocol/text/text.ts';
import type { ManifestTexts } from '../../../protocol/manifest/read-manifest.ts';
import { findErrno } from '../../../machine/paths/file-error.ts';
import { type Stamp, stampOfStats } from './looks.ts';

export const MANIFEST_FILES: readonly string[] = [...CAPABILITY_MANIFESTS, ...EXECUTOR_FILES];

/** Stands among the manifests of a capability that is one file: the file itself. */
export const ITSELF = '';

export interface ManifestFiles {
	readonly texts: ManifestTexts;
	/** Files that could not be read. */
	readonly problems: readonly ManifestProblem[];
	/** Faults of a command that do not keep anybody from using it. */
	readonly warnings?: readonly ManifestProblem[];
	/** Undefined when one of them may change without a trace. */
	readonly stamp: Stamp | undefined;
}

/**
 * Reads the manifests of a folder. A file that cannot be read is a problem; a file that has gone meanwhile is left out.
 */
export async function readManifestFiles(folder: string, names: readonly string[]): Promise<ManifestFiles> {
	const texts: Record<string, string> = {};
	const problems: ManifestProblem[] = [];
	const stamps: (number[] | undefined)[] = [];
	for (const name of names) {
		try {
			const { text, stats } = await readManifestText(join(folder, name));
			texts[name] = text;
			stamps.push(stampOfStats(stats, Date.now()));
		} catch (error) {
			stamps.push(undefined);
			if (findErrno(error) === 'ENOENT' || findErrno(error) === 'ENOTDIR' || isReadBeside(name)) continue;
			const words = findErrno(error) === 'ELOOP' ? await aboutLink(join(folder, name)) : toErrorMessage(error);
			problems.push(manifestProblem('error', words, createTopPlace(name)));
		}
	}
	return { texts, problems, stamp: joinStamps(stamps) };
}

/** A link is not followed: what it leads to could be another each time. */
async function aboutLink(path: string): Promise<Text> {
	const leadsNowhere = await realpath(path).then(
		() => false,
		() => true,
	);
	return leadsNowhere
		? text('it is a link that leads nowhere; a capability may hold no links')
		: text('it is a link; a capability may hold no links');
}

function joinStamps(stamps: readonly (number[] | undefined)[]): Stamp | undefined {
	const known = stamps.filter((each) => each !== undefined);
	return known.length === stamps.length ? known.flat() : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a manifest from its bytes, also when they were read elsewhere. Throws when they cannot be read as
 * text.
 */
export function textOfBytes(bytes: Uint8Array): string {
	if (bytes.byteLength > MAX_MANIFEST_BYTES) {
		throw new Error(`${bytes.byteLength} bytes, the limit is ${MAX_MANIFEST_BYTES}`);
	}
	try {
		return decodeUtf16(bytes) ?? utf8.decode(bytes);
	} catch {
		throw new Error('it is no UTF-8 text');
	}
}

const openDescriptor = promisify(open);
const readDescriptor = promisify(read);

/**
 * Reads a text with two waits, where a `FileHandle` takes four waits and an object for each file. The synchronous calls
 * need no disk: the system knows the size of an open file, and closing a file that was only read writes no data.
 */
async function readManifestText(path: string): Promise<{ readonly text: string; readonly stats: Stats }> {
	const file = await openDescriptor(
		path,
		constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
	);
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) throw new Error('it is no file');
		if (stats.size > MAX_MANIFEST_BYTES) throw new Error(`${stats.size} bytes, the limit is ${MAX_MANIFEST_BYTES}`);
		// Reads one byte more than the size, to notice a file that grew.
		const { bytesRead, buffer } = await readDescriptor(file, Buffer.allocUnsafe(stats.size + 1), 0, stats.size + 1, 0);
		if (bytesRead !== stats.size) throw new Error('it changed while it was read');
		return { text: textOfBytes(buffer.subarray(0, bytesRead)), stats };
	} finally {
		closeSync(file);
	}
}
