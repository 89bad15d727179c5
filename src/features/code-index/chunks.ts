/**
 * Splits a file into the parts that a search finds: a declaration with the comment above it, or a section of a text, or
 * else a fixed number of lines. The split looks only at the shape of the lines, in any language.
 */
import { codeIndexLimits } from './limits.ts';

export interface CodeChunk {
	/** From 1, both inclusive. */
	readonly startLine: number;
	readonly endLine: number;
	/** Name of what is declared there; empty for none. */
	readonly symbol: string;
	readonly text: string;
}

const MODIFIERS =
	'export|default|declare|abstract|async|public|private|protected|internal|static|final|sealed|override|virtual|inline|extern|unsafe|partial|open|data|pub(?:\\([a-z]+\\))?';
const DECLARING_KEYWORDS =
	'function\\*?|class|interface|type|enum|namespace|module|const|let|var|def|fn|func|fun|struct|impl|trait|protocol|extension|object|record|package|macro_rules!|defmodule|defp?|sub|proc|CREATE (?:TABLE|VIEW|FUNCTION|INDEX|PROCEDURE)';
const DECLARATION = new RegExp(
	`^(?:(?:${MODIFIERS})\\s+)*(?:${DECLARING_KEYWORDS})\\s+(?:\\([^)]*\\)\\s*)?([\\p{L}_$][\\p{L}\\p{N}_$.:]*)`,
	'u',
);
/** A method, a function in the manner of C, a test with its title. */
const CALLABLE = /^(?:[\p{L}_$][\p{L}\p{N}_$<>,.[\]*&? ]*\s+)?([\p{L}_$~][\p{L}\p{N}_$]*)\s*\([^;]*\)[^;]*\{\s*$/u;
const TITLED = /^(?:describe|context|it|test|suite)\w*(?:\.\w+)*\(\s*(['"`])(.{3,120}?)\1/;
const HEADING = /^#{1,6}\s+(.+)$/;
/** Belongs to what follows it. */
const LEADS = /^(?:\/\/|\/\*|\*|#(?!\s*(?:include|define))|--|@|\[|"""|''')/;
const CONTROL_KEYWORDS = new Set([
	'if',
	'for',
	'while',
	'switch',
	'catch',
	'else',
	'return',
	'function',
	'do',
	'try',
	'with',
]);

export function splitIntoChunks(text: string): readonly CodeChunk[] {
	const lines = text.split(/\r\n?|\n/);
	const starts = startsIn(lines, 0);
	const parts = cutAt(lines, starts);
	return parts.flatMap((part) => withinLength(lines, part)).slice(0, codeIndexLimits.chunksOfFile);
}

interface Start {
	/** Index of the first line, comments included. */
	readonly line: number;
	readonly symbol: string;
}

interface ChunkPart {
	readonly from: number;
	/** Exclusive. */
	readonly to: number;
	readonly symbol: string;
}

/** Declarations whose lines begin with so many columns of space, at most. */
function startsIn(lines: readonly string[], columns: number, from = 0, to = lines.length): readonly Start[] {
	const starts: Start[] = [];
	for (let at = from; at < to; at += 1) {
		const line = lines[at] ?? '';
		const indent = measureIndent(line);
		if (indent > columns) continue;
		const symbol = findSymbolName(line.slice(line.search(/\S|$/)), indent > 0);
		if (symbol === undefined) continue;
		let first = at;
		while (first > from && LEADS.test((lines[first - 1] ?? '').trim())) first -= 1;
		starts.push({ line: first, symbol });
	}
	return starts;
}

function findSymbolName(line: string, isInside: boolean): string | undefined {
	const heading = HEADING.exec(line)?.[1];
	if (heading !== undefined && !isInside) return heading.trim();
	const titled = TITLED.exec(line)?.[2];
	if (titled !== undefined) return titled;
	const declared = DECLARATION.exec(line)?.[1];
	if (declared !== undefined) return declared;
	const called = CALLABLE.exec(line)?.[1];
	return called === undefined || CONTROL_KEYWORDS.has(called) ? undefined : called;
}

/** Short ones are joined with the one before. */
function cutAt(lines: readonly string[], starts: readonly Start[], from = 0, to = lines.length): readonly ChunkPart[] {
	const parts: ChunkPart[] = [];
	let open: ChunkPart = { from, to, symbol: '' };
	for (const { line, symbol } of starts) {
		if (line - open.from < codeIndexLimits.leastChunkLines) {
			open = { ...open, symbol: open.symbol === '' ? symbol : `${open.symbol} ${symbol}` };
		} else {
			parts.push({ ...open, to: line });
			open = { from: line, to, symbol };
		}
	}
	return [...parts, open];
}

/** A long one is cut at what is declared within it, else after so many lines. */
function withinLength(lines: readonly string[], part: ChunkPart): readonly CodeChunk[] {
	if (part.to - part.from <= codeIndexLimits.chunkLines) {
		return createTrimmedChunk(lines, part);
	}
	const inner = indentWithin(lines, part);
	const starts = inner === 0 ? [] : startsIn(lines, inner, part.from + 1, part.to);
	const smaller = cutAt(lines, starts, part.from, part.to);
	const named = smaller.map((each) => ({ ...each, symbol: joinSymbols(part.symbol, each.symbol) }));
	return named.flatMap((each) => {
		const chunks: CodeChunk[] = [];
		for (let from = each.from; from < each.to; from += codeIndexLimits.chunkLines) {
			chunks.push(
				...createTrimmedChunk(lines, { ...each, from, to: Math.min(each.to, from + codeIndexLimits.chunkLines) }),
			);
		}
		return chunks;
	});
}

function createTrimmedChunk(lines: readonly string[], { from, to, symbol }: ChunkPart): readonly CodeChunk[] {
	let [first, end] = [from, to];
	while (first < end && (lines[first] ?? '').trim() === '') first += 1;
	while (end > first && (lines[end - 1] ?? '').trim() === '') end -= 1;
	if (first === end) return [];
	const name = symbol.slice(0, codeIndexLimits.symbolChars);
	return [{ startLine: first + 1, endLine: end, symbol: name, text: lines.slice(first, end).join('\n') }];
}

/** Smallest indentation below the first line. */
function indentWithin(lines: readonly string[], { from, to }: ChunkPart): number {
	const indents = lines.slice(from + 1, to).flatMap((line) => (line.trim() === '' ? [] : measureIndent(line)));
	return indents.filter((indent) => indent > 0).reduce((least, indent) => Math.min(least, indent), 8);
}

function measureIndent(line: string): number {
	const space = /^[\t ]*/.exec(line)?.[0] ?? '';
	return space.replaceAll('\t', '    ').length;
}

function joinSymbols(outer: string, inner: string): string {
	return inner === '' || inner === outer ? outer : outer === '' ? inner : `${outer} ${inner}`;
}
