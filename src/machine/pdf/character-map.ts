/** Tables that say which text the codes of a font stand for (ToUnicode). */
import type { Budget } from './budget.ts';
import { MAX_RANGE } from './limits.ts';
import { type PdfValue, ValueReader, PdfWord } from './values.ts';

export interface CharacterMap {
	/** Bytes of one code; 0: the table does not say. */
	readonly codeBytes: number;
	readonly texts: ReadonlyMap<number, string>;
}

/** Throws TooMuch. */
export function readCharacterMap(bytes: Buffer, budget: Budget): CharacterMap {
	const texts = new Map<number, string>();
	let codeBytes = 0;
	const reader = new ValueReader(bytes, 0, budget);
	let operands: PdfValue[] = [];
	for (let value = reader.read(); value !== undefined; value = reader.read()) {
		if (!(value instanceof PdfWord)) {
			operands.push(value);
			continue;
		}
		const strings = operands;
		if (value.word === 'endcodespacerange') {
			for (const each of strings) if (Buffer.isBuffer(each)) codeBytes = Math.max(codeBytes, each.length);
		} else if (value.word === 'endbfchar') {
			for (let index = 0; index + 1 < strings.length; index += 2) {
				const [code, text] = [strings[index], strings[index + 1]];
				if (Buffer.isBuffer(code) && Buffer.isBuffer(text))
					texts.set(readCharacterCode(code), decodeUtf16BigEndian(text));
			}
		} else if (value.word === 'endbfrange') {
			for (let index = 0; index + 2 < strings.length; index += 3) {
				addRange(texts, strings.slice(index, index + 3), budget);
			}
		}
		operands = [];
	}
	return { codeBytes, texts };
}

function addRange(texts: Map<number, string>, [low, high, first]: readonly PdfValue[], budget: Budget): void {
	if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high)) return;
	const from = readCharacterCode(low);
	const count = Math.min(readCharacterCode(high) - from + 1, MAX_RANGE);
	for (let index = 0; index < count; index += 1) {
		budget.step();
		if (Array.isArray(first)) {
			const text = (first as readonly PdfValue[])[index];
			if (Buffer.isBuffer(text)) texts.set(from + index, decodeUtf16BigEndian(text));
		} else if (Buffer.isBuffer(first)) {
			texts.set(from + index, decodeUtf16BigEndian(advanceCharacterCode(first, index)));
		}
	}
}

/** Returns the character code that lies `index` after `text`, by counting on in its last two bytes. */
function advanceCharacterCode(text: Buffer, index: number): Buffer {
	if (text.length < 2) return Buffer.from([0, ((text[0] ?? 0) + index) & 0xff]);
	const next = Buffer.from(text);
	next.writeUInt16BE((text.readUInt16BE(text.length - 2) + index) & 0xffff, text.length - 2);
	return next;
}

function readCharacterCode(bytes: Buffer): number {
	return bytes.length === 0 ? 0 : bytes.readUIntBE(0, Math.min(bytes.length, 4));
}

/** UTF-16, high byte first. */
export function decodeUtf16BigEndian(bytes: Buffer): string {
	if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0);
	return Buffer.from(bytes.subarray(0, bytes.length & ~1))
		.swap16()
		.toString('utf16le');
}
