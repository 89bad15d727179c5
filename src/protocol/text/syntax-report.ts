/**
 * Reads Node's report of a module that does not parse: in the stack of the error or, for an ES module, only in what
 * Node prints when the error ends the process. Errors of code that parses something itself are no such reports.
 */
import { decodePercentOrSame } from '../../base/text/lenient.ts';

export interface SyntaxReport {
	/** File as Node has it: a path, or a `file:` URL. Absent where the report does not say. */
	readonly file?: string;
	/** Both from 1. */
	readonly line?: number;
	readonly column?: number;
	/** `SyntaxError: …` */
	readonly message: string;
}

const MESSAGE = /^SyntaxError(?: \[\w+\])?: ./;
const LOADER = /^ {4}at .*node:internal\/modules\//;
/** Lines after the message: the rest of it, its stack, its fields. */
const STACK = /^(?: {4}at .*|\} *|.*\{| {2}\w+: .*|)$/;
const PLACE = /^(\S.*):(\d+)$/;
const CARETS = /^([ \t]*)\^+\s*$/;
/** Lines between the place and the message: of TypeScript, those around it too. */
const MAX_SHOWN_LINES = 12;
const MAX_MESSAGE_LINES = 8;

/** The one that a text ends with; undefined when it ends with none. */
export function readSyntaxReport(text: string): SyntaxReport | undefined {
	const lines = text.trimEnd().split('\n');
	const at = lines.findLastIndex((line) => MESSAGE.test(line));
	const stack = lines.findIndex((line, index) => index > at && line.startsWith('    at '));
	if (at === -1 || stack === -1 || stack - at > MAX_MESSAGE_LINES || !LOADER.test(lines[stack] ?? '')) {
		return undefined;
	}
	if (!lines.slice(stack).every((line) => STACK.test(line))) {
		return undefined;
	}
	const shown = lines.slice(Math.max(0, at - MAX_SHOWN_LINES), at);
	const [message = ''] = lines.slice(at);
	const place = shown.findLastIndex((line) => PLACE.test(line));
	const [, file, line] = PLACE.exec(shown[place] ?? '') ?? [];
	if (file === undefined) {
		return { message };
	}
	// In TypeScript tabs are shown as spaces, so its columns are not those of the file.
	const carets = message.includes('TYPESCRIPT') ? undefined : shown.slice(place).find((each) => CARETS.test(each));
	const column = carets === undefined ? {} : { column: (CARETS.exec(carets)?.[1]?.length ?? 0) + 1 };
	return { file, line: Number(line), ...column, message };
}

/** `lib/a.js:3:7: SyntaxError: …`, with the name that its author knows the file by. */
export function syntaxErrorText({ line, column, message }: SyntaxReport, file: string): string {
	return `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;
}

/** Returns the name of the report's file below a folder; undefined when it lies elsewhere. */
export function nameBelow(folder: string, { file = '' }: SyntaxReport): string | undefined {
	const toSlashes = (path: string) => path.replaceAll('\\', '/');
	const path = file.startsWith('file:') ? decodePercentOrSame(file) : toSlashes(file);
	const at = path.indexOf(`${toSlashes(folder)}/`);
	return at === -1 ? undefined : path.slice(at + folder.length + 1);
}
