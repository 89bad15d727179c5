/**
 * Names that a package may use: those that mean the same one place on every disk, below the folder it is unpacked in, and
 * that steer no other tool. Judged all together, before the first is written.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { MAX_FILE_DEPTH } from '../../limits.ts';
import { foldName } from '../../../machine/paths/names/name-rules.ts';
import { parsePath } from '../../../machine/paths/names/path-segments.ts';
import { protectedKind } from '../../../machine/paths/names/protected-names.ts';
import { MAX_SEGMENT_BYTES } from '../limits.ts';
import { createExtractionError } from '../../package-file.ts';

interface EntryName {
	/** With slashes; without one at the end. */
	readonly path: string;
	readonly isFolder: boolean;
}

/** Throws EXTRACTION_FAILED for the first name that may not be. */
export function checkEntryNames(entries: readonly EntryName[]): void {
	const seen = new Map<string, EntryName>();
	const folders = new Map<string, string>();
	for (const entry of entries) {
		checkPath(entry.path);
		const key = foldSegments(entry.path.split('/'));
		const other = seen.get(key);
		if (other !== undefined) {
			throw createExtractionError(
				escapeEntryPath(entry.path),
				`${escapeEntryPath(other.path)} has the same name on some disks`,
			);
		}
		seen.set(key, entry);
	}
	for (const { path, isFolder } of entries) {
		const segments = path.split('/');
		for (let depth = 1; depth < segments.length + (isFolder ? 1 : 0); depth += 1) {
			const folder = segments.slice(0, depth);
			const key = foldSegments(folder);
			const other = seen.get(key);
			if (other !== undefined && !other.isFolder) {
				throw createExtractionError(escapeEntryPath(path), `${escapeEntryPath(other.path)} is a file and a folder`);
			}
			const written = folders.get(key) ?? folder.join('/');
			if (written !== folder.join('/')) {
				throw createExtractionError(escapeEntryPath(path), `its folder is also written ${escapeEntryPath(written)}`);
			}
			folders.set(key, written);
		}
	}
}

export function escapeEntryPath(path: string): string {
	return escapeInvisible(path.slice(0, 200), 'line');
}

function checkPath(path: string): void {
	if (path.includes('\\')) {
		throw createExtractionError(escapeEntryPath(path), 'it holds a backslash');
	}
	if (escapeInvisible(path, 'line') !== path) {
		throw createExtractionError(escapeEntryPath(path), 'it holds characters that are not seen');
	}
	const segments = path.split('/');
	if (segments[0] === '' || /^[a-z]:/i.test(path)) {
		throw createExtractionError(escapeEntryPath(path), 'it is an absolute path');
	}
	if (segments.some((segment) => segment === '..' || segment === '.' || segment === '')) {
		throw createExtractionError(escapeEntryPath(path), 'it holds "..", "." or an empty name');
	}
	if (segments.length > MAX_FILE_DEPTH) {
		throw createExtractionError(escapeEntryPath(path), `folders deeper than ${MAX_FILE_DEPTH}`);
	}
	const long = segments.find((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES);
	if (long !== undefined) {
		throw createExtractionError(escapeEntryPath(path), `a name of more than ${MAX_SEGMENT_BYTES} bytes`);
	}
	if (/[<>:"|?*]/.test(path)) {
		throw createExtractionError(escapeEntryPath(path), 'it holds one of < > : " | ? *, which not every disk takes');
	}
	if (path.normalize('NFC') !== path) {
		throw createExtractionError(escapeEntryPath(path), 'its characters are not composed (NFC)');
	}
	try {
		// Windows has the strictest rules for names (devices, streams, dots at the end); they apply wherever the
		// package is installed.
		parsePath(path, 'win32');
	} catch (error) {
		throw createExtractionError(escapeEntryPath(path), toErrorMessage(error), error);
	}
	const kind = protectedKind(segments);
	// Nobody reads the instructions in a package, and an executor may bring packages along.
	if (kind !== undefined && kind !== 'instructions' && kind !== 'packages') {
		throw createExtractionError(escapeEntryPath(path), 'that name steers what other tools run');
	}
	if (segments.includes('__proto__')) {
		throw createExtractionError(escapeEntryPath(path), '"__proto__" is no name for a file');
	}
}

function foldSegments(segments: readonly string[]): string {
	return segments.map(foldName).join('/');
}
