/**
 * Finds in the text of a JavaScript program what a worker refuses when it runs: modules that it cannot use, and functions
 * that look like tools and are none. Comments, texts and regular expressions are no code, and so are blanked out first.
 */
import { isBuiltin } from 'node:module';
import { MODULE_ALTERNATIVES } from '../../../protocol/execution/worker.ts';

/** Something in a program that its author should know of; both numbers from 1. */
export interface SourceFinding {
	readonly line: number;
	readonly column: number;
	readonly kind: 'syntax' | 'banned' | 'sync' | 'yields';
	/** Message of the parser, name of the module, or name of the function. */
	readonly name: string;
	/** The topic of the SDK that stands in for a module; null: nothing does. */
	readonly instead?: string | null;
	/** True when the program goes on without it. */
	readonly guarded?: boolean;
}

/** Text of a program with blanks for what is no code, and each literal text by the place of its first quote. */
interface PlainCode {
	readonly code: string;
	readonly literals: ReadonlyMap<number, string>;
}

const GLOBALS = /(?<![\w$.#])(?:globalThis\.)?(fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(/g;
const LOADS =
	/(?<![\w$.#])import(?:\s*\(\s*|\s*)(?=["'`])|(?<![\w$])(?:require|getBuiltinModule)\s*(?:\?\.)?\(\s*(?=["'`])/g;
const FROM = /\bfrom\s*(?=["'])/g;

/** Most places of one kind that are looked at: their author has enough to mend, and a program made to be slow is not. */
const MAX_PLACES = 200;
/** Most characters between `import` and its `from`. */
const MAX_CLAUSE_CHARS = 5_000;

function takeMatches(code: string, pattern: RegExp): RegExpExecArray[] {
	const taken: RegExpExecArray[] = [];
	for (const match of code.matchAll(pattern)) {
		taken.push(match);
		if (taken.length === MAX_PLACES) break;
	}
	return taken;
}

/** `isEntry`: its exported functions are tools. The program has been parsed before. */
export function findInJavaScript(text: string, isEntry: boolean): SourceFinding[] {
	const plain = readPlainCode(text);
	const { code } = plain;
	const lines = lineStarts(text);
	const placeAt = (index: number) => {
		const line = lines.findLastIndex((start) => start <= index);
		return { line: line + 1, column: index - (lines[line] ?? 0) + 1 };
	};
	const found: SourceFinding[] = findBannedLoads(plain).map(({ index, name, instead }) => ({
		...placeAt(index),
		kind: 'banned' as const,
		name,
		instead,
		guarded: isTried(code, index),
	}));
	const declared = new Map<string, boolean>();
	for (const match of takeMatches(code, GLOBALS)) {
		const name = match[1] ?? '';
		const isDeclared =
			declared.get(name) ??
			new RegExp(`\\b(?:function|const|let|var|class)\\s+${name}\\b|[{,]\\s*${name}\\s*[,}]`).test(code);
		declared.set(name, isDeclared);
		if (isDeclared) continue;
		found.push({ ...placeAt(match.index), kind: 'banned', name, instead: 'http', guarded: true });
	}
	for (const { index, kind, name } of isEntry ? findNoTools(code) : []) {
		found.push({ ...placeAt(index), kind, name });
	}
	return found.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function alternativeTo(specifier: string): string | undefined {
	const name = specifier.replace(/^node:/, '');
	const [top = ''] = name.split('/', 1);
	const isNamed = name === top || isBuiltin(specifier);
	return isNamed && Object.hasOwn(MODULE_ALTERNATIVES, top) ? MODULE_ALTERNATIVES[top] : undefined;
}

interface BannedLoad {
	readonly index: number;
	readonly name: string;
	readonly instead: string;
}

/** Modules asked for by a literal name that a worker refuses. Others count for no place, since a bundle has many. */
function findBannedLoads({ code, literals }: PlainCode): BannedLoad[] {
	const found: BannedLoad[] = [];
	for (const [pattern, isLoad] of [[LOADS, () => true] as const, [FROM, isLoadClause] as const]) {
		const most = found.length + MAX_PLACES;
		for (const match of code.matchAll(pattern)) {
			if (found.length === most) break;
			const index = match.index + match[0].length;
			const name = literals.get(index);
			const instead = name === undefined ? undefined : alternativeTo(name);
			if (name === undefined || instead === undefined || !isLoad(code, match.index)) continue;
			found.push({ index, name, instead });
		}
	}
	return found;
}

/** True where the words before this `from` import or export something that is there at run time. */
function isLoadClause(code: string, from: number): boolean {
	const before = code.slice(Math.max(0, from - MAX_CLAUSE_CHARS), from);
	const head = Math.max(before.lastIndexOf('import'), before.lastIndexOf('export'));
	const clause = before.slice(head + 'import'.length);
	return head !== -1 && /^[\s{*][\w$\s,{}*]*$/.test(clause) && !/^\s+type\s+(?!,|from\b)/.test(clause);
}

/** True within the braces of a `try`. */
function isTried(code: string, index: number): boolean {
	let depth = 0;
	for (let at = index; at >= 0; at -= 1) {
		if (code[at] === '}') depth += 1;
		else if (code[at] === '{' && depth > 0) depth -= 1;
		else if (code[at] === '{' && /\btry\s*$/.test(code.slice(Math.max(0, at - 20), at))) return true;
	}
	return false;
}

const SYNC = /^export[ \t]+function(?:[ \t]*(\*)[ \t]*|[ \t]+)([A-Za-z$][\w$]*)/gm;
const ASYNC_YIELDS = /^export[ \t]+async[ \t]+function[ \t]*\*[ \t]*([A-Za-z$][\w$]*)/gm;
const SYNC_VALUE =
	/^export[ \t]+(?:const|let|var)[ \t]+([A-Za-z$][\w$]*)[ \t]*(?::[^=\n]*)?=[ \t]*(?:function\b|\([^()]*\)[^=\n]*=>|[\w$]+[ \t]*=>)/gm;
const DECLARED = /^function(?:\s*\*\s*|\s+)([A-Za-z$][\w$]*)/gm;
const LISTED = /^export[ \t]*\{([^{}]*)\}(?!\s*from)/gm;

/** Exported functions that no worker calls. A function that the program itself uses is a helper. */
function findNoTools(
	code: string,
): { readonly index: number; readonly kind: 'sync' | 'yields'; readonly name: string }[] {
	// Each name is counted in one pass: a search of the text for every name takes too long where there are many.
	const uses = new Map<string, number>();
	for (const [name] of code.matchAll(/(?<![\w$.])[A-Za-z$][\w$]*/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
	const declared = new Map<string, number>();
	for (const { index, 1: name = '' } of code.matchAll(DECLARED)) {
		if (!declared.has(name)) declared.set(name, index);
	}
	const listed = takeMatches(code, LISTED).flatMap(({ 1: names = '' }) =>
		takeMatches(names, /([A-Za-z$][\w$]*)(?:\s+as\s+[\w$]+)?/g).flatMap(({ 1: name = '' }) => {
			const index = declared.get(name);
			return index === undefined ? [] : [{ index, kind: 'sync' as const, name }];
		}),
	);
	return [
		...takeMatches(code, SYNC).map(({ index, 1: star, 2: name = '' }) => ({
			index,
			kind: star === '*' ? ('yields' as const) : ('sync' as const),
			name,
		})),
		...takeMatches(code, ASYNC_YIELDS).map(({ index, 1: name = '' }) => ({ index, kind: 'yields' as const, name })),
		...takeMatches(code, SYNC_VALUE).map(({ index, 1: name = '' }) => ({ index, kind: 'sync' as const, name })),
	]
		.filter(({ name }) => (uses.get(name) ?? 0) <= 1)
		.concat(listed.slice(0, MAX_PLACES));
}

function lineStarts(text: string): number[] {
	return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

const BEFORE_REGEX =
	/^(?:[(,=:[!&|?{};+\-*%~^<>]?|return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/;

/** The same length and lines as the text. */
function readPlainCode(text: string): PlainCode {
	const literals = new Map<number, string>();
	const open: ('{' | '`')[] = [];
	let code = '';
	let last = '';
	let strays = 0;
	const blankUntil = (end: number) => {
		code += text.slice(code.length, end).replaceAll(/[^\n]/g, ' ');
	};
	while (code.length < text.length) {
		const at = code.length;
		const char = text[at] ?? '';
		const two = text.slice(at, at + 2);
		const [word = ''] = /^[\w$]+/.exec(text.slice(at, at + 200)) ?? [];
		if (two === '//' || two === '/*') {
			const end = two === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 2;
			blankUntil(end < at + 2 ? text.length : end);
		} else if (char === '"' || char === "'") {
			const end = findLiteralEnd(text, at + 1, char);
			literals.set(at, text.slice(at + 1, end));
			code += char;
			blankUntil(end);
			code += text[end] ?? '';
			last = 'literal';
		} else if (char === '`' || (char === '}' && open.at(-1) === '`')) {
			if (char === '}') open.pop();
			const end = findTemplateEnd(text, at + 1);
			const isWhole = text[end] === '`';
			if (isWhole && char === '`') literals.set(at, text.slice(at + 1, end));
			code += '`';
			blankUntil(end);
			code += text.slice(end, end + (isWhole ? 1 : 2)).replace('$', ' ');
			if (!isWhole) open.push('`');
			last = isWhole ? 'literal' : '{';
		} else if (char === '/' && strays < MAX_PLACES && BEFORE_REGEX.test(last)) {
			const end = findRegexEnd(text, at + 1);
			// A slash that ends nowhere was searched for to the end of its line.
			if (end === at + 1) strays += 1;
			blankUntil(end);
			last = 'literal';
		} else if (word !== '') {
			code += word;
			last = word;
		} else {
			if (char === '{') open.push('{');
			else if (char === '}') open.pop();
			if (char.trim() !== '') last = char;
			code += char;
		}
	}
	return { code, literals };
}

function findLiteralEnd(text: string, from: number, quote: string): number {
	for (let at = from; at < text.length; at += 1) {
		if (text[at] === quote || text[at] === '\n') return at;
		if (text[at] === '\\') at += 1;
	}
	return text.length;
}

/** Place of the closing quote, or of the `${` that comes before it. */
function findTemplateEnd(text: string, from: number): number {
	for (let at = from; at < text.length; at += 1) {
		if (text[at] === '`' || (text[at] === '$' && text[at + 1] === '{')) return at;
		if (text[at] === '\\') at += 1;
	}
	return text.length;
}

function findRegexEnd(text: string, from: number): number {
	let isInClass = false;
	for (let at = from; at < text.length && text[at] !== '\n'; at += 1) {
		if (text[at] === '\\') at += 1;
		else if (text[at] === '[') isInClass = true;
		else if (text[at] === ']') isInClass = false;
		else if (text[at] === '/' && !isInClass) return at + 1;
	}
	return from;
}
