/**
 * A path as its parts, by its letters alone: nothing here looks at the disk. Refuses what no honest path holds and
 * what a system would read as another name than the one that was judged.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { PATH_CHARS } from '../limits.ts';

interface PathSegments {
	readonly isAbsolute: boolean;
	/** Without `.` and empty parts; `..` is resolved. */
	readonly segments: readonly string[];
}

/** Control characters, line separators, and what reorders or hides text. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/** `isFound`: it was read from the disk, where a name may hold what nobody may ask for. */
export function parsePath(path: string, platform: NodeJS.Platform, isFound = false): PathSegments {
	if (path.length > PATH_CHARS) {
		throw invalidPathError(path.slice(0, 80), `it is longer than ${PATH_CHARS} characters`);
	}
	const hidden = unprintable.exec(path);
	if (hidden !== null && (!isFound || path.includes('\0'))) {
		throw invalidPathError(path, `it holds the character U+${formatCodePoint(hidden[0])}`);
	}
	if (!path.isWellFormed()) {
		throw invalidPathError(path, 'it is not well-formed Unicode');
	}
	return platform === 'win32' ? parseWindows(path) : resolveDots(path, path.startsWith('/'), path.split('/'));
}

function parseWindows(path: string): PathSegments {
	const slashed = path.replaceAll('\\', '/');
	if (slashed.startsWith('//') || slashed.startsWith('/??/')) {
		throw invalidPathError(path, 'network and device paths are not accepted');
	}
	const drive = /^[a-z]:/i.exec(slashed)?.[0];
	const rest = drive === undefined ? slashed : slashed.slice(drive.length);
	if (drive !== undefined && !rest.startsWith('/')) {
		throw invalidPathError(path, 'it is relative to the current folder of a drive');
	}
	for (const segment of rest.split('/')) {
		if (segment.includes(':')) {
			throw invalidPathError(path, '":" names a stream inside a file');
		}
		if (device.test(segment)) {
			throw invalidPathError(path, `"${segment}" names a device`);
		}
		if (/[. ]$/.test(segment) && segment !== '.' && segment !== '..') {
			throw invalidPathError(path, `"${segment}" ends with a dot or a space`);
		}
	}
	const { isAbsolute, segments } = resolveDots(path, rest.startsWith('/'), rest.split('/'));
	return { isAbsolute, segments: drive === undefined ? segments : [drive.toLowerCase(), ...segments] };
}

function resolveDots(path: string, isAbsolute: boolean, parts: readonly string[]): PathSegments {
	const segments: string[] = [];
	for (const part of parts) {
		if (part === '..') {
			if (segments.pop() === undefined && !isAbsolute) {
				throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `${path} leads out of the workspace`, { path });
			}
		} else if (part !== '' && part !== '.') {
			segments.push(part);
		}
	}
	return { isAbsolute, segments };
}

function invalidPathError(path: string, why: string): ProwessError {
	const shown = path.replaceAll(
		/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu,
		(c) => `\\u{${formatCodePoint(c)}}`,
	);
	return new ProwessError('PATH_INVALID', `the path ${shown} is not accepted: ${why}`, {
		path: shown,
		said: text('The path "{path}" is not accepted: {why}', { path: shown, why }),
	});
}

function formatCodePoint(character: string): string {
	return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0').toUpperCase();
}
