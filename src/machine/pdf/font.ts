/** A font, as far as it tells which text its codes stand for, and how far each moves the pen. */
import { TextDecoder } from 'node:util';
import type { Budget } from './budget.ts';
import { type CharacterMap, readCharacterMap, decodeUtf16BigEndian } from './character-map.ts';
import { textOfGlyph } from './glyph-names.ts';
import { MAX_RANGE } from './limits.ts';
import type { PdfFile } from './pdf-file.ts';
import { type Dictionary, PdfName } from './values.ts';

interface Glyph {
	/** Undefined where the font does not say. */
	readonly text: string | undefined;
	/** In thousandths of the size. */
	readonly width: number;
	readonly isSpace: boolean;
}

const USUAL_WIDTH = 500;
const decoders: Readonly<Record<string, TextDecoder>> = {
	WinAnsiEncoding: new TextDecoder('windows-1252'),
	MacRomanEncoding: new TextDecoder('macintosh'),
};

export class Font {
	readonly #map: CharacterMap | undefined;
	readonly #codeBytes: 1 | 2;
	readonly #widths: ReadonlyMap<number, number>;
	readonly #usualWidth: number;
	readonly #ofCode: (code: number) => string | undefined;

	private constructor(
		map: CharacterMap | undefined,
		codeBytes: 1 | 2,
		widths: ReadonlyMap<number, number>,
		usualWidth: number,
		ofCode: (code: number) => string | undefined,
	) {
		this.#map = map;
		this.#codeBytes = codeBytes;
		this.#widths = widths;
		this.#usualWidth = usualWidth;
		this.#ofCode = ofCode;
	}

	/** Throws TooMuch. */
	static read(file: PdfFile, font: Dictionary, budget: Budget): Font {
		const told = file.stream(font.get('ToUnicode'));
		const map = told === undefined ? undefined : readCharacterMap(told.bytes, budget);
		if (file.name(font.get('Subtype')) !== 'Type0') {
			return new Font(map, 1, simpleWidths(file, font), USUAL_WIDTH, simpleTexts(file, font));
		}
		const below = file.dictionary(file.list(font.get('DescendantFonts'))?.[0]);
		const encoding = file.name(font.get('Encoding')) ?? '';
		const isUnicode = /^Uni\w+-U(?:CS2|TF16)-[HV]$/.test(encoding);
		const ofCode = (code: number) =>
			isUnicode ? decodeUtf16BigEndian(Buffer.from([code >> 8, code & 0xff])) : undefined;
		const codeBytes = map?.codeBytes === 1 && !encoding.startsWith('Identity') ? 1 : 2;
		return new Font(map, codeBytes, wideWidths(file, below, budget), file.number(below?.get('DW')) ?? 1000, ofCode);
	}

	glyphs(bytes: Buffer): readonly Glyph[] {
		const glyphs: Glyph[] = [];
		for (let at = 0; at < bytes.length; at += this.#codeBytes) {
			const code = this.#codeBytes === 1 ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
			const text = this.#map?.texts.get(code) ?? this.#ofCode(code);
			const isSpace = this.#codeBytes === 1 && code === 32;
			glyphs.push({ text, width: this.#widths.get(code) ?? this.#usualWidth, isSpace });
		}
		return glyphs;
	}
}

function simpleTexts(file: PdfFile, font: Dictionary): (code: number) => string | undefined {
	const given = file.value(font.get('Encoding'));
	const encoding = given instanceof Map ? (given as Dictionary) : undefined;
	const base = given instanceof PdfName ? given.name : file.name(encoding?.get('BaseEncoding'));
	const decoder = decoders[base ?? ''];
	const different = new Map<number, string | undefined>();
	let code = 0;
	for (const each of file.list(encoding?.get('Differences')) ?? []) {
		if (typeof each === 'number') code = each;
		else if (each instanceof PdfName) different.set(code++, textOfGlyph(each.name));
	}
	// A font with signs of its own, such as Symbol, does not say what its codes are.
	const isOwn = decoder === undefined && isSymbolic(file, font);
	return (wanted) => {
		if (different.has(wanted)) return different.get(wanted);
		if (wanted === 9 || wanted === 10 || wanted === 13) return ' ';
		if (isOwn || wanted < 32) return undefined;
		return (decoder ?? decoders['WinAnsiEncoding'])?.decode(Buffer.from([wanted]));
	};
}

function isSymbolic(file: PdfFile, font: Dictionary): boolean {
	const flags = file.number(file.dictionary(font.get('FontDescriptor'))?.get('Flags')) ?? 0;
	const name = file.name(font.get('BaseFont')) ?? '';
	return /(?:Symbol|Dingbats)/.test(name) || (flags & 4) !== 0;
}

function simpleWidths(file: PdfFile, font: Dictionary): ReadonlyMap<number, number> {
	const first = file.number(font.get('FirstChar')) ?? 0;
	const widths = (file.list(font.get('Widths')) ?? []).slice(0, 256);
	// A font drawn by hand has a measure of its own.
	const isDrawn = file.name(font.get('Subtype')) === 'Type3';
	return isDrawn ? new Map() : new Map(widths.map((each, index) => [first + index, file.number(each) ?? USUAL_WIDTH]));
}

/** `12 [500 600] 20 30 250`: some one by one, and a range. */
function wideWidths(file: PdfFile, font: Dictionary | undefined, budget: Budget): ReadonlyMap<number, number> {
	const widths = new Map<number, number>();
	const list = file.list(font?.get('W')) ?? [];
	for (let index = 0; index + 1 < list.length;) {
		const first = file.number(list[index]) ?? 0;
		const each = file.list(list[index + 1]);
		if (each !== undefined) {
			for (const [offset, width] of each.slice(0, MAX_RANGE).entries()) {
				budget.step();
				widths.set(first + offset, file.number(width) ?? USUAL_WIDTH);
			}
			index += 2;
			continue;
		}
		const last = Math.min(file.number(list[index + 1]) ?? first, first + MAX_RANGE);
		const width = file.number(list[index + 2]) ?? USUAL_WIDTH;
		for (let code = first; code <= last; code += 1) {
			budget.step();
			widths.set(code, width);
		}
		index += 3;
	}
	return widths;
}
