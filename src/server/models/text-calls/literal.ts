/**
 * Values as Python writes them (S0-13): texts in either quote, also tripled, numbers, truth values, None, lists, tuples and
 * mappings. Read, never evaluated.
 */

/** Nested deeper than this is no value. */
const MAX_LITERAL_DEPTH = 32;
const NUMBER_LITERAL = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]\w*/y;
const LITERAL_SPACE = /[\s,]*/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '0': '\0', '\n': '' };
const LITERAL_WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
	['True', true],
	['true', true],
	['False', false],
	['false', false],
	['None', null],
	['null', null],
]);

/** `name=value, …` as an object; `name: value` is taken, too. Undefined: it is none. */
export function readArguments(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		return new LiteralReader(text).namedValues();
	} catch (error) {
		if (error instanceof NoLiteral) {
			return undefined;
		}
		throw error;
	}
}

class NoLiteral extends Error {}

class LiteralReader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	namedValues(): Readonly<Record<string, unknown>> {
		const values: [string, unknown][] = [];
		this.#take(LITERAL_SPACE);
		while (this.#at < this.#text.length) {
			const name = this.#take(WORD);
			this.#take(/\s*/y);
			if (name === '' || !/[=:]/.test(this.#next())) {
				throw new NoLiteral();
			}
			this.#at += 1;
			this.#take(/\s*/y);
			values.push([name, this.#value(0)]);
			this.#take(LITERAL_SPACE);
		}
		return Object.fromEntries(values);
	}

	#value(depth: number): unknown {
		if (depth > MAX_LITERAL_DEPTH) {
			throw new NoLiteral();
		}
		const first = this.#next();
		if (first === '"' || first === "'") {
			return this.#quoted(first);
		}
		if (first === '[' || first === '(') {
			return this.#list(first === '[' ? ']' : ')', depth);
		}
		if (first === '{') {
			return this.#mapping(depth);
		}
		const number = this.#take(NUMBER_LITERAL);
		if (number !== '') {
			return Number(number.replaceAll('_', ''));
		}
		const word = this.#take(WORD);
		if (!LITERAL_WORDS.has(word)) {
			throw new NoLiteral();
		}
		return LITERAL_WORDS.get(word);
	}

	#list(end: string, depth: number): unknown[] {
		const values: unknown[] = [];
		this.#at += 1;
		this.#take(LITERAL_SPACE);
		while (this.#next() !== end) {
			values.push(this.#value(depth + 1));
			this.#take(LITERAL_SPACE);
		}
		this.#at += 1;
		return values;
	}

	#mapping(depth: number): Readonly<Record<string, unknown>> {
		const values: [string, unknown][] = [];
		this.#at += 1;
		this.#take(LITERAL_SPACE);
		while (this.#next() !== '}') {
			const name = String(this.#value(depth + 1));
			this.#take(/\s*:\s*/y);
			values.push([name, this.#value(depth + 1)]);
			this.#take(LITERAL_SPACE);
		}
		this.#at += 1;
		return Object.fromEntries(values);
	}

	#quoted(quote: string): string {
		const end = this.#text.startsWith(quote.repeat(3), this.#at) ? quote.repeat(3) : quote;
		this.#at += end.length;
		let value = '';
		while (!this.#text.startsWith(end, this.#at)) {
			const character = this.#next();
			this.#at += 1;
			value += character === '\\' ? this.#escaped() : character;
		}
		this.#at += end.length;
		return value;
	}

	#escaped(): string {
		const character = this.#next();
		this.#at += 1;
		const digits = { x: 2, u: 4, U: 8 }[character];
		if (digits !== undefined) {
			const code = Number.parseInt(this.#text.slice(this.#at, this.#at + digits), 16);
			if (!(code <= 0x10_ffff)) {
				throw new NoLiteral();
			}
			this.#at += digits;
			return String.fromCodePoint(code);
		}
		// Python leaves an escape that it does not know as it is.
		return ESCAPES[character] ?? (/["'\\]/.test(character) ? character : `\\${character}`);
	}

	/** Throws at the end of the text: a value that goes on has none. */
	#next(): string {
		const character = this.#text.charAt(this.#at);
		if (character === '') {
			throw new NoLiteral();
		}
		return character;
	}

	#take(pattern: RegExp): string {
		pattern.lastIndex = this.#at;
		const [found = ''] = pattern.exec(this.#text) ?? [];
		this.#at += found.length;
		return found;
	}
}
