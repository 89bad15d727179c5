/** Values as a PDF writes them, and how they are read from its bytes. */
import type { Budget } from './budget.ts';
import { MAX_PDF_DEPTH, MAX_STRING } from './limits.ts';

export class PdfName {
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
}

export class Reference {
	readonly number: number;
	constructor(number: number) {
		this.number = number;
	}
}

/** An operator, or a word that stands for nothing here. */
export class PdfWord {
	readonly word: string;
	constructor(word: string) {
		this.word = word;
	}
}

export type Dictionary = ReadonlyMap<string, PdfValue>;
export type PdfValue =
	| null
	| boolean
	| number
	| Buffer
	| PdfName
	| Reference
	| PdfWord
	| readonly PdfValue[]
	| Dictionary;

const SPACE_BYTES = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITER = new Set([...'()<>[]{}/%'].map((sign) => sign.charCodeAt(0)));
const [LESS, GREATER, OPEN, CLOSE, ESCAPE] = [...'<>()\\'].map((sign) => sign.charCodeAt(0)) as [
	number,
	number,
	number,
	number,
	number,
];

export class ValueReader {
	readonly bytes: Buffer;
	readonly #budget: Budget;
	at: number;

	constructor(bytes: Buffer, at: number, budget: Budget) {
		this.bytes = bytes;
		this.at = at;
		this.#budget = budget;
	}

	/** Undefined at the end. */
	read(depth = 0): PdfValue | undefined {
		this.#budget.step();
		this.skipSpace();
		const sign = this.bytes[this.at];
		if (sign === undefined) return undefined;
		switch (String.fromCharCode(sign)) {
			case '/':
				this.at += 1;
				return this.#name();
			case '(':
				return this.#string();
			case '<':
				return this.bytes[this.at + 1] === LESS ? this.#dictionary(depth) : this.#hexString();
			case '[':
				this.at += 1;
				return this.#list(depth, ']');
			case ']':
			case '{':
			case '}':
			case ')':
				this.at += 1;
				return new PdfWord(String.fromCharCode(sign));
			case '>':
				this.at += this.bytes[this.at + 1] === GREATER ? 2 : 1;
				return new PdfWord('>');
			default:
				return this.#wordOrNumber();
		}
	}

	skipSpace(): void {
		for (;;) {
			const sign = this.bytes[this.at];
			if (sign === undefined) return;
			if (sign === 0x25) {
				while (this.at < this.bytes.length && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13) this.at += 1;
			} else if (SPACE_BYTES.has(sign)) {
				this.at += 1;
			} else {
				return;
			}
		}
	}

	#regular(): string {
		const from = this.at;
		for (let sign = this.bytes[this.at]; sign !== undefined; sign = this.bytes[this.at]) {
			if (SPACE_BYTES.has(sign) || DELIMITER.has(sign)) break;
			this.at += 1;
		}
		return this.bytes.toString('latin1', from, this.at);
	}

	#name(): PdfName {
		const written = this.#regular();
		return new PdfName(
			written.includes('#')
				? written.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
				: written,
		);
	}

	#wordOrNumber(): PdfValue {
		const word = this.#regular();
		if (/^[+-]*\d*\.?\d*$/.test(word) && /\d/.test(word)) {
			const number = Number(word.replace(/^[+-]*(?=[+-])/, ''));
			return this.#reference(number) ?? (Number.isFinite(number) ? number : 0);
		}
		return word === 'true' ? true : word === 'false' ? false : word === 'null' ? null : new PdfWord(word);
	}

	/** `12 0 R`. */
	#reference(number: number): Reference | undefined {
		if (!Number.isSafeInteger(number) || number < 0) return undefined;
		const after = /^[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![A-Za-z0-9])/.exec(
			this.bytes.toString('latin1', this.at, this.at + 24),
		);
		if (after === null) return undefined;
		this.at += after[0].length;
		return new Reference(number);
	}

	#list(depth: number, end: ']' | '>'): PdfValue[] {
		const list: PdfValue[] = [];
		while (depth < MAX_PDF_DEPTH) {
			const value = this.read(depth + 1);
			if (value === undefined || (value instanceof PdfWord && (value.word === end || isBroken(value.word)))) break;
			list.push(value);
		}
		return list;
	}

	#dictionary(depth: number): Dictionary {
		this.at += 2;
		const list = this.#list(depth, '>');
		const read = new Map<string, PdfValue>();
		for (let index = 0; index < list.length; index += 1) {
			const key = list[index];
			const value = list[index + 1];
			if (key instanceof PdfName && value !== undefined) {
				read.set(key.name, value);
				index += 1;
			}
		}
		return read;
	}

	#hexString(): Buffer {
		const end = this.bytes.indexOf(GREATER, this.at);
		const to = end === -1 ? this.bytes.length : end;
		const digits = this.bytes
			.toString('latin1', this.at + 1, Math.min(to, this.at + 2 * MAX_STRING))
			.replaceAll(/[^0-9A-Fa-f]/g, '');
		this.at = to + 1;
		return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
	}

	#string(): Buffer {
		const signs: number[] = [];
		let open = 1;
		this.at += 1;
		for (let sign = this.bytes[this.at]; sign !== undefined; sign = this.bytes[this.at]) {
			this.at += 1;
			if (sign === ESCAPE) {
				this.#escape(signs);
				continue;
			}
			if (sign === OPEN) open += 1;
			if (sign === CLOSE && --open === 0) break;
			if (signs.length < MAX_STRING) signs.push(sign);
		}
		return Buffer.from(signs);
	}

	#escape(signs: number[]): void {
		const octal = /^[0-7]{1,3}/.exec(this.bytes.toString('latin1', this.at, this.at + 3))?.[0];
		if (octal !== undefined) {
			signs.push(Number.parseInt(octal, 8) & 0xff);
			this.at += octal.length;
			return;
		}
		const sign = this.bytes[this.at] ?? 0;
		this.at += 1;
		if (sign === 13 && this.bytes[this.at] === 10) this.at += 1;
		if (sign === 10 || sign === 13) return;
		const known = 'nrtbf'.indexOf(String.fromCharCode(sign));
		signs.push(known === -1 ? sign : ([10, 13, 9, 8, 12][known] ?? sign));
	}
}

/** The end of its object, which was to come later. */
function isBroken(word: string): boolean {
	return word === 'endobj' || word === 'stream' || word === 'endstream';
}
