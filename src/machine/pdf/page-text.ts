/** The text of a page: what its content draws, in the order in which it draws it. */
import type { Budget } from './budget.ts';
import { Font } from './font.ts';
import { MAX_FORMS } from './limits.ts';
import type { PdfFile } from './pdf-file.ts';
import { type Matrix, type PlacedText, multiplyMatrices, UNMOVED } from './placed-text.ts';
import { type Dictionary, PdfName, type PdfValue, ValueReader, PdfWord } from './values.ts';

interface Pen {
	readonly font: Font | undefined;
	readonly size: number;
	readonly charSpace: number;
	readonly wordSpace: number;
	/** 1: as wide as they are. */
	readonly scale: number;
	readonly leading: number;
	readonly rise: number;
	/** From the text's units to those of the page. */
	readonly matrix: Matrix;
}

const INITIAL_PEN: Pen = {
	font: undefined,
	size: 1,
	charSpace: 0,
	wordSpace: 0,
	scale: 1,
	leading: 0,
	rise: 0,
	matrix: UNMOVED,
};
const MAX_SAVED = 256;

export class PageReader {
	readonly #file: PdfFile;
	readonly #budget: Budget;
	readonly #fonts = new Map<Dictionary, Font>();
	/** Forms that are drawn now: one in itself would have no end. */
	readonly #open = new Set<Dictionary>();

	constructor(file: PdfFile, budget: Budget) {
		this.#file = file;
		this.#budget = budget;
	}

	/** Throws TooMuch. */
	draw(content: Buffer, resources: Dictionary | undefined, into: PlacedText, matrix: Matrix = UNMOVED): void {
		const reader = new ValueReader(content, 0, this.#budget);
		const saved: Pen[] = [];
		let pen: Pen = { ...INITIAL_PEN, matrix };
		let [line, now]: [Matrix, Matrix] = [UNMOVED, UNMOVED];
		let operands: PdfValue[] = [];
		const readNumber = (index: number) => {
			const value = operands[index];
			return typeof value === 'number' ? value : 0;
		};
		const readMatrix = (): Matrix => [
			readNumber(0),
			readNumber(1),
			readNumber(2),
			readNumber(3),
			readNumber(4),
			readNumber(5),
		];
		const moveLine = (x: number, y: number) => {
			line = multiplyMatrices([1, 0, 0, 1, x, y], line);
			now = line;
		};
		const drawText = (value: PdfValue | undefined) => {
			if (Buffer.isBuffer(value)) now = this.#show(value, pen, now, into);
			else if (typeof value === 'number')
				now = multiplyMatrices([1, 0, 0, 1, (-value / 1000) * pen.size * pen.scale, 0], now);
		};
		const acts: { readonly [operator: string]: () => void } = {
			q: () => void (saved.length < MAX_SAVED && saved.push(pen)),
			Q: () => (pen = saved.pop() ?? pen),
			cm: () => (pen = { ...pen, matrix: multiplyMatrices(readMatrix(), pen.matrix) }),
			BT: () => ([line, now] = [UNMOVED, UNMOVED]),
			Tc: () => (pen = { ...pen, charSpace: readNumber(0) }),
			Tw: () => (pen = { ...pen, wordSpace: readNumber(0) }),
			Tz: () => (pen = { ...pen, scale: readNumber(0) / 100 }),
			TL: () => (pen = { ...pen, leading: readNumber(0) }),
			Ts: () => (pen = { ...pen, rise: readNumber(0) }),
			Tf: () => (pen = { ...pen, font: this.#font(operands[0], resources), size: readNumber(1) }),
			Td: () => moveLine(readNumber(0), readNumber(1)),
			TD: () => {
				pen = { ...pen, leading: -readNumber(1) };
				moveLine(readNumber(0), readNumber(1));
			},
			Tm: () => ([line, now] = [readMatrix(), readMatrix()]),
			'T*': () => moveLine(0, -pen.leading),
			Tj: () => drawText(operands[0]),
			"'": () => {
				moveLine(0, -pen.leading);
				drawText(operands[0]);
			},
			'"': () => {
				pen = { ...pen, wordSpace: readNumber(0), charSpace: readNumber(1) };
				moveLine(0, -pen.leading);
				drawText(operands[2]);
			},
			TJ: () => {
				if (Array.isArray(operands[0])) for (const each of operands[0] as readonly PdfValue[]) drawText(each);
			},
			Do: () => this.#form(operands[0], resources, into, pen.matrix),
			ID: () => skipPicture(reader),
		};
		for (let value = reader.read(); value !== undefined && !into.isFull; value = reader.read()) {
			if (!(value instanceof PdfWord)) {
				if (operands.length < 64) operands.push(value);
				continue;
			}
			if (Object.hasOwn(acts, value.word)) acts[value.word]?.();
			operands = [];
		}
	}

	#show(bytes: Buffer, pen: Pen, from: Matrix, into: PlacedText): Matrix {
		let now = from;
		for (const { text, width, isSpace } of pen.font?.glyphs(bytes) ?? []) {
			this.#budget.step();
			const moved = (width / 1000) * pen.size + pen.charSpace + (isSpace ? pen.wordSpace : 0);
			const next = multiplyMatrices([1, 0, 0, 1, moved * pen.scale, 0], now);
			const begin = multiplyMatrices([1, 0, 0, 1, 0, pen.rise], multiplyMatrices(now, pen.matrix));
			const size = pen.size * Math.hypot(begin[2], begin[3]);
			into.add(text, begin, multiplyMatrices(next, pen.matrix), Math.abs(size));
			now = next;
		}
		return now;
	}

	#font(name: PdfValue | undefined, resources: Dictionary | undefined): Font | undefined {
		const fonts = this.#file.dictionary(resources?.get('Font'));
		const font = name instanceof PdfName ? this.#file.dictionary(fonts?.get(name.name)) : undefined;
		if (font === undefined) return undefined;
		const known = this.#fonts.get(font) ?? Font.read(this.#file, font, this.#budget);
		this.#fonts.set(font, known);
		return known;
	}

	#form(name: PdfValue | undefined, resources: Dictionary | undefined, into: PlacedText, matrix: Matrix): void {
		const forms = this.#file.dictionary(resources?.get('XObject'));
		const given = name instanceof PdfName ? forms?.get(name.name) : undefined;
		const dictionary = this.#file.dictionary(given);
		const isForm = dictionary !== undefined && this.#file.name(dictionary.get('Subtype')) === 'Form';
		if (!isForm || this.#open.has(dictionary) || this.#open.size >= MAX_FORMS) return;
		const stream = this.#file.stream(given);
		if (stream === undefined) return;
		const own = (this.#file.list(dictionary.get('Matrix')) ?? []).map((each) => this.#file.number(each) ?? 0);
		const [a, b, c, d, e, f] = own;
		const placed =
			own.length === 6 ? multiplyMatrices([a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0], matrix) : matrix;
		this.#open.add(dictionary);
		try {
			this.draw(stream.bytes, this.#file.dictionary(dictionary.get('Resources')) ?? resources, into, placed);
		} finally {
			this.#open.delete(dictionary);
		}
	}
}

/** Bytes of a picture that stands in the content itself. */
function skipPicture(reader: ValueReader): void {
	const { bytes } = reader;
	for (let at = bytes.indexOf('EI', reader.at); at !== -1; at = bytes.indexOf('EI', at + 2)) {
		if (/^\sEI(?:\s|$)/.test(bytes.toString('latin1', at - 1, at + 3))) {
			reader.at = at + 2;
			return;
		}
	}
	reader.at = bytes.length;
}
