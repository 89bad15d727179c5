/**
 * Values as people and models write them beside JSON: texts in either quote, also tripled or curly, with raw line ends; truth
 * values and None as Python has them; lists, tuples and mappings; comments; commas too many. Read, never evaluated (S0-13).
 */

/** Nested deeper than this is no value. */
const MAX_LITERAL_DEPTH = 64;
const NUMBER_LITERAL = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]\w*/y;
/** Prefix of a text that is raw, of bytes or of Unicode. A formatted one (f) is no value. */
const PYTHON_PREFIX = /(?:[rR][bB]?|[bB][rR]?|[uU])(?=['"])/y;
const SPACE_AND_COMMENTS = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)+/y;
const CONTROLS = /[\0-\x1f]/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
/** Python has two more; in JSON they are mistakes. */
const PYTHON_ESCAPES: Readonly<Record<string, string>> = { ...ESCAPES, '0': '\0', '\n': '' };
const JSON_WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
	['true', true],
	['false', false],
	['null', null],
]);
const OTHER_WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
	['True', true],
	['False', false],
	['None', null],
	['undefined', null],
]);
/** Closing marks of texts, by the opening ones. */
const QUOTES: ReadonlyMap<string, string> = new Map([
	['"', '"'],
	["'", "'"],
	['\u201c', '\u201d'],
	['\u2018', '\u2019'],
]);

/** `name=value, …` as an object; `name: value` is taken, too. Undefined: it is none. */
export function readArguments(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		return new LiteralReader(text, 'python').namedValues();
	} catch (error) {
		if (error instanceof NoLiteral) {
			return undefined;
		}
		throw error;
	}
}

/** Thrown where a text is no value. */
export class NoLiteral extends Error {
	/** Offset of the place; the length of the text where it ends too early. */
	readonly at: number;

	constructor(message: string, at: number) {
		super(message);
		this.at = at;
	}
}

/**
 * Reads values from a text, one after the other. `json`: an escape that JSON does not have is refused, because it has two
 * readings; `python`: it stays as it is.
 */
export class LiteralReader {
	/** Differences from JSON, each as a phrase. */
	readonly notes = new Set<string>();
	readonly #text: string;
	readonly #form: 'json' | 'python';
	#at = 0;

	constructor(text: string, form: 'json' | 'python') {
		this.#text = text;
		this.#form = form;
	}

	/** Rest of the text, after space and comments. */
	rest(): string {
		this.#space();
		return this.#text.slice(this.#at);
	}

	/** True when a mapping or a list follows, after space and comments. */
	hasNext(): boolean {
		this.#space();
		return /[{[]/.test(this.#text.charAt(this.#at));
	}

	get at(): number {
		return this.#at;
	}

	/** Throws NoLiteral. */
	value(): unknown {
		this.#space();
		return this.#value(0);
	}

	/** Throws NoLiteral. */
	namedValues(): Readonly<Record<string, unknown>> {
		const values: [string, unknown][] = [];
		this.#commas();
		while (this.#at < this.#text.length) {
			const name = this.#take(WORD);
			this.#space();
			if (name === '' || !/[=:]/.test(this.#next())) {
				throw this.#fault('a name is expected');
			}
			this.#at += 1;
			this.#space();
			values.push([name, this.#value(0)]);
			this.#commas();
		}
		return Object.fromEntries(values);
	}

	#value(depth: number): unknown {
		if (depth > MAX_LITERAL_DEPTH) {
			throw this.#fault(`it is nested deeper than ${MAX_LITERAL_DEPTH}`);
		}
		const prefix = this.#take(PYTHON_PREFIX).toLowerCase();
		if (prefix !== '') {
			this.notes.add(`a text of Python after ${prefix}`);
		}
		const first = this.#next();
		if (QUOTES.has(first)) {
			return this.#quoted(first, prefix.includes('r'));
		}
		if (first === '[' || first === '(') {
			return this.#list(first === '[' ? ']' : ')', depth);
		}
		if (first === '{') {
			return this.#mapping(depth);
		}
		const start = this.#at;
		const number = this.#take(NUMBER_LITERAL);
		if (number !== '') {
			return Number(number.replaceAll('_', ''));
		}
		const word = this.#take(WORD);
		if (JSON_WORDS.has(word)) {
			return JSON_WORDS.get(word);
		}
		if (OTHER_WORDS.has(word)) {
			this.notes.add(`${word} as ${JSON.stringify(OTHER_WORDS.get(word))}`);
			return OTHER_WORDS.get(word);
		}
		const isEnd = this.#at === this.#text.length;
		this.#at = isEnd ? this.#at : start;
		throw this.#fault('a value is expected');
	}

	#list(end: string, depth: number): unknown[] {
		const values: unknown[] = [];
		this.#at += 1;
		if (end === ')') {
			this.notes.add('a tuple as a list');
		}
		let commas = this.#commas();
		while (this.#next() !== end) {
			if (values.length > 0 && commas === 0) {
				throw this.#fault(`a comma or ${end} is expected`);
			}
			values.push(this.#value(depth + 1));
			commas = this.#commas();
		}
		this.#noteCommas(commas);
		this.#at += 1;
		return values;
	}

	#mapping(depth: number): Readonly<Record<string, unknown>> {
		const values: [string, unknown][] = [];
		this.#at += 1;
		let commas = this.#commas();
		while (this.#next() !== '}') {
			if (values.length > 0 && commas === 0) {
				// Only a quoted name can follow: a quote within a text that was not escaped would look the same otherwise.
				if (this.#next() !== '"' || !/\s/.test(this.#text.charAt(this.#at - 1))) {
					throw this.#fault('a comma or } is expected');
				}
				this.notes.add('a comma that was missing');
			}
			const name = this.#name(depth);
			this.#space();
			if (this.#next() !== ':') {
				throw this.#fault('a colon is expected');
			}
			this.#at += 1;
			this.#space();
			values.push([name, this.#value(depth + 1)]);
			commas = this.#commas();
		}
		this.#noteCommas(commas);
		this.#at += 1;
		return Object.fromEntries(values);
	}

	#name(depth: number): string {
		if (/[{[(]/.test(this.#next())) {
			throw this.#fault('a name is expected');
		}
		const bare = this.#take(/[A-Za-z_$][\w$]*(?=\s*:)/y);
		if (bare === '') {
			return String(this.#value(depth + 1));
		}
		this.notes.add('names without quotes');
		return bare;
	}

	#quoted(quote: string, isRaw: boolean): string {
		const closing = QUOTES.get(quote) ?? quote;
		const end = this.#text.startsWith(quote.repeat(3), this.#at) ? closing.repeat(3) : closing;
		if (quote !== '"' || end.length > 1) {
			this.notes.add(end.length > 1 ? 'a text in three quotes' : 'other quotes as double ones');
		}
		this.#at += end.length;
		const pieces: string[] = [];
		for (let from = this.#at; ; from = this.#at) {
			while (this.#next() !== '\\' && !this.#text.startsWith(end, this.#at)) {
				this.#at += 1;
			}
			const piece = this.#text.slice(from, this.#at);
			if (end.length === 1 && CONTROLS.test(piece)) {
				this.notes.add('raw line ends or tabs in a text as escaped ones');
			}
			pieces.push(piece);
			if (this.#next() !== '\\') {
				this.#at += end.length;
				return pieces.join('');
			}
			this.#at += 1;
			pieces.push(isRaw ? this.#kept() : this.#escaped(quote));
		}
	}

	/** A backslash of a raw text, with the character that it keeps from ending the text. */
	#kept(): string {
		const character = this.#next();
		this.#at += 1;
		return `\\${character}`;
	}

	#escaped(quote: string): string {
		const character = this.#next();
		this.#at += 1;
		const digits = { x: 2, u: 4, U: 8 }[character];
		// In these quotes, it is Python's.
		const isPython = this.#form === 'python' || quote === "'";
		if (digits !== undefined && (character === 'u' || isPython)) {
			const written = this.#text.slice(this.#at, this.#at + digits);
			const code = /^[\da-fA-F]+$/.test(written) && written.length === digits ? Number.parseInt(written, 16) : -1;
			if (code < 0 || code > 0x10_ffff) {
				throw this.#fault(`\\${character} needs ${digits} hexadecimal digits`);
			}
			this.#at += digits;
			return String.fromCodePoint(code);
		}
		const known = (this.#form === 'json' ? ESCAPES : PYTHON_ESCAPES)[character];
		if (known !== undefined || /["'\\/]/.test(character)) {
			return known ?? character;
		}
		if (this.#form === 'json') {
			this.#at -= 2;
			throw this.#fault(`\\${character} is no escape of JSON; a backslash is written \\\\`);
		}
		return `\\${character}`;
	}

	#commas(): number {
		let count = 0;
		this.#space();
		while (this.#text.charAt(this.#at) === ',') {
			this.#at += 1;
			count += 1;
			this.#space();
		}
		return count;
	}

	#noteCommas(last: number): void {
		if (last > 0) {
			this.notes.add('the input without a comma too many');
		}
	}

	#space(): void {
		if (/[/#]/.test(this.#take(SPACE_AND_COMMENTS))) {
			this.notes.add('the input without its comments');
		}
	}

	/** Throws at the end of the text: a value that goes on has none. */
	#next(): string {
		const character = this.#text.charAt(this.#at);
		if (character === '') {
			throw this.#fault('it ends too early');
		}
		return character;
	}

	#fault(message: string): NoLiteral {
		return new NoLiteral(message, this.#at);
	}

	#take(pattern: RegExp): string {
		pattern.lastIndex = this.#at;
		const [found = ''] = pattern.exec(this.#text) ?? [];
		this.#at += found.length;
		return found;
	}
}
