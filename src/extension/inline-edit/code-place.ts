/** Where in a file the code of an answer belongs: found by its first and last line, so that no model is asked. Pure. */
import { readIndentation, isBlank } from '../../base/text/one-line.ts';
import type { EditedLines } from './edited-text.ts';

interface PlacedCode extends EditedLines {
	/** Code to insert, indented as deep as the lines that it replaces. */
	readonly code: string;
}

const PATH_COMMENT = /^\s*(?:\/\/|#|--|<!--|\/\*)\s*([\w@+~.-]+(?:[/\\][\w@+~.-]+)*\.\w+)\s*(?:-->|\*\/)?\s*$/;

/** Path that the first line of the code names in a comment, as models write it, and the code without that line. */
export function namedIn(code: string): { readonly path?: string; readonly code: string } {
	const lines = code.split('\n');
	const path = PATH_COMMENT.exec(lines[0] ?? '')?.[1];
	return path === undefined ? { code } : { path: path.replaceAll('\\', '/'), code: lines.slice(1).join('\n') };
}

/** Undefined: its first line stands nowhere in the file, or in several places. */
export function placeIn(file: string, code: string): PlacedCode | undefined {
	const [old, given] = [file.split(/\r?\n/), withoutBlankEnds(code.split(/\r?\n/))];
	if (old.every(isBlank)) {
		return { first: 0, last: old.length - 1, code: `${given.join('\n')}\n` };
	}
	const [begin = '', end = ''] = [given[0], given.at(-1)];
	const first = onlyIndex(old, begin);
	if (first === undefined || begin.trim() === '') {
		return undefined;
	}
	const shift = readIndentation(old[first] ?? '').slice(readIndentation(begin).length);
	const last = given.length === 1 ? first : (findBlockEnd(old, first, end) ?? endOfFile(old, first, end));
	const shifted = given.map((line) => (isBlank(line) ? line : shift + line));
	return last === undefined ? undefined : { first, last, code: shifted.join('\n') };
}

/** The same last line where the block ends; of a language without one, the last line that is as deep. */
function findBlockEnd(lines: readonly string[], first: number, end: string): number | undefined {
	const depth = readIndentation(lines[first] ?? '').length;
	const after = lines.findIndex((line, at) => at > first && !isBlank(line) && readIndentation(line).length <= depth);
	const isClosed = after !== -1 && lines[after]?.trim() === end.trim();
	if (isClosed) {
		return after;
	}
	const isCloser = /^[\])}]/.test(end.trim());
	if (isCloser) {
		return undefined;
	}
	const inside = lines.slice(0, after === -1 ? lines.length : after);
	const last = inside.findLastIndex((line) => !isBlank(line));
	return last > first ? last : undefined;
}

/** Code that repeats the whole file begins and ends as it does. */
function endOfFile(lines: readonly string[], first: number, end: string): number | undefined {
	const isFromBegin = lines.slice(0, first).every(isBlank);
	const last = lines.findLastIndex((line) => !isBlank(line));
	return isFromBegin && lines[last]?.trim() === end.trim() ? last : undefined;
}

function onlyIndex(lines: readonly string[], wanted: string): number | undefined {
	const found = lines.flatMap((line, at) => (line.trim() === wanted.trim() ? [at] : []));
	return found.length === 1 ? found[0] : undefined;
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
	const first = lines.findIndex((line) => !isBlank(line));
	return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}
