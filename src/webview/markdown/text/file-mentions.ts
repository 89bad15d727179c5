/** Files that a text names with a line, as compilers, test runners and models write them. Pure. */

export interface FileMention {
	/** Text that names it, as it was written. */
	readonly text: string;
	readonly path: string;
	/** From 1. */
	readonly line?: number;
}

/** In one text; what follows the last one stays text. A page draws each as an element of its own. */
export const MAX_MENTIONS = 500;

/**
 * A name as long as file systems have them. Repetitions are bounded and a match begins at the start of a word only, so that
 * a long word is read once.
 */
const MENTION_NAME = String.raw`[\w@+~-](?:[\w@+~.-]{0,253}[\w@+~-])?`;
const MENTION_PATH = String.raw`(?<![\w@+~./\\-])(?:file:\/\/)?(\/?(?:\.{1,2}\/){0,8}(?:\.?${MENTION_NAME}\/){0,40}\.?${MENTION_NAME})`;
/** `a.ts:12:3`, `a.ts(12,3)` and `"a.py", line 12`. */
const MENTION_LINE = String.raw`(?::(\d{1,7})(?::\d{1,7})?(?![\w/])|\((\d{1,7})(?:,\d{1,7})?\)|", line (\d{1,7}))`;
const WITH_LINE = new RegExp(MENTION_PATH + MENTION_LINE, 'g');

/** A folder and an extension: in a span of code, `src/a.ts` is a file and `a.b` is not. */
const CODE_SPAN_FILE = new RegExp(String.raw`^(?:\.{1,2}\/){0,8}(?:\.?${MENTION_NAME}\/){1,40}\.?${MENTION_NAME}$`);
const EXTENSION = /[^/.]\.([a-z]\w{0,11})$/i;

/** The text in order: plain pieces, and files with their line. */
export function mentionsIn(text: string, most = MAX_MENTIONS): readonly (string | FileMention)[] {
	const pieces: (string | FileMention)[] = [];
	let end = 0;
	let count = 0;
	for (const match of text.matchAll(WITH_LINE)) {
		const [whole, path = ''] = match;
		// `127.0.0.1:80` and `localhost:3000` are no files.
		if (!EXTENSION.test(path)) {
			continue;
		}
		if (match.index > end) {
			pieces.push(text.slice(end, match.index));
		}
		pieces.push({ text: whole, path, line: Number(match[2] ?? match[3] ?? match[4]) || 1 });
		end = match.index + whole.length;
		count += 1;
		if (count === most) {
			break;
		}
	}
	return end < text.length ? [...pieces, text.slice(end)] : pieces;
}

/** The file that a span of code is, and nothing else: with a line, or with the folder it lies in. */
export function readFileMention(code: string): FileMention | undefined {
	const [only, ...others] = mentionsIn(code);
	if (typeof only === 'object' && others.length === 0) {
		return only;
	}
	return CODE_SPAN_FILE.test(code) && EXTENSION.test(code) ? { text: code, path: code } : undefined;
}
