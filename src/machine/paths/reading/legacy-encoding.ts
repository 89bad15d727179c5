/**
 * Encodings from before Unicode. The platform decodes them; the way back is a table made of that, so that what was read is written as the same
 * bytes, or not at all. Encodings with a state between characters are left out.
 */
import { TextDecoder } from 'node:util';

/** Tables of encodings in use, by name; each is made when it is first needed. */
const tables = new Map<string, ReadonlyMap<string, number>>();

/** Shift-JIS with the codes of NEC for characters that have two; in `shift_jis` they have those of IBM. */
export const SHIFT_JIS_NEC = 'shift_jis-nec';
const FIRST_HIGH = 0x80;
const LAST_BYTE = 0xff;
/** Bytes that may come second in a pair. */
const FIRST_TRAIL = 0x30;

/** Undefined: these bytes are not of this encoding, or could not be written back as they are. */
export function decodeLegacy(bytes: Buffer, label: string): string | undefined {
	const text = decodeLegacyBytes(bytes, label);
	return text !== undefined && encodeLegacy(text, label)?.equals(bytes) === true ? text : undefined;
}

/** Undefined: it has a character that the encoding has not. */
export function encodeLegacy(text: string, label: string): Buffer | undefined {
	const table = loadEncodingTable(label);
	const bytes = Buffer.allocUnsafe(text.length * MOST_BYTES);
	let length = 0;
	for (const character of text) {
		const code =
			character.charCodeAt(0) < FIRST_HIGH
				? character.charCodeAt(0)
				: (table.get(character) ?? fourByteCode(character, label));
		if (code === undefined) {
			return undefined;
		}
		for (const shift of [24, 16, 8]) {
			if (code >= 2 ** shift) {
				bytes[length++] = (code >>> shift) & LAST_BYTE;
			}
		}
		bytes[length++] = code & LAST_BYTE;
	}
	return bytes.subarray(0, length);
}

/** The first character that the encoding has not, with its line. */
export function firstForeign(
	text: string,
	label: string,
): { readonly character: string; readonly line: number } | undefined {
	let line = 1;
	for (const character of text) {
		if (encodeLegacy(character, label) === undefined) {
			return { character, line };
		}
		line += character === '\n' ? 1 : 0;
	}
	return undefined;
}

function loadEncodingTable(label: string): ReadonlyMap<string, number> {
	const known = tables.get(label);
	if (known !== undefined) {
		return known;
	}
	const table = new Map<string, number>();
	const decoder = createLegacyDecoder(label);
	const decodeUnit = (bytes: readonly number[]) => {
		try {
			return decoder?.decode(Buffer.from(bytes));
		} catch {
			// Fatal decoding throws exactly when the bytes are not of this encoding.
			return undefined;
		}
	};
	const addCode = (bytes: readonly number[]) => {
		const text = decodeUnit(bytes);
		if (text !== undefined && Array.from(text).length === 1 && !table.has(text)) {
			table.set(
				text,
				bytes.reduce((code, byte) => code * 256 + byte, 0),
			);
		}
		return text !== undefined;
	};
	for (const lead of leadBytes(label)) {
		// A lead byte is none by itself: an encoding of single bytes has nothing here.
		if (!addCode([lead])) {
			for (let trail = FIRST_TRAIL; trail <= LAST_BYTE; trail++) {
				addCode([lead, trail]);
			}
		}
	}
	if (label === 'euc-jp') {
		for (let lead = FIRST_OF_THREE; lead < LAST_BYTE; lead++) {
			for (let trail = FIRST_OF_THREE; trail < LAST_BYTE; trail++) {
				addCode([THREE_BYTES, lead, trail]);
			}
		}
	}
	tables.set(label, table);
	return table;
}

const MOST_BYTES = 4;
/** First byte of a character of three in EUC-JP, and the first value of the other two. */
const THREE_BYTES = 0x8f;
const FIRST_OF_THREE = 0xa1;

/**
 * Leads in the order in which their characters count: some encodings have a character twice, and programs write one of
 * them (Encoding Standard of the WHATWG, indexes of Shift_JIS and Big5).
 */
function leadBytes(label: string): number[] {
	const all = Array.from({ length: LAST_BYTE - FIRST_HIGH + 1 }, (_, index) => FIRST_HIGH + index);
	const late: Readonly<Record<string, readonly [first: number, last: number]>> = {
		shift_jis: [0xed, 0xef],
		[SHIFT_JIS_NEC]: [0xfa, 0xfc],
		big5: [FIRST_HIGH, FIRST_OF_THREE - 1],
	};
	const [first, last] = late[label] ?? [Number.POSITIVE_INFINITY, 0];
	const isLate = (lead: number) => lead >= first && lead <= last;
	return [...all.filter((lead) => !isLate(lead)), ...all.filter(isLate)];
}

let fourByteCodes: ReadonlyMap<string, number> | undefined;
const FOUR_BYTE_LABELS: ReadonlySet<string> = new Set(['gb18030', 'gbk']);
/** Pointers of GB 18030: of the last character of the basic plane, and of the first one beyond it. */
const LAST_BASIC = 39_419;
const FIRST_BEYOND = 189_000;

/** Code of a character that GB 18030 writes with four bytes. */
function fourByteCode(character: string, label: string): number | undefined {
	if (!FOUR_BYTE_LABELS.has(label) || !character.isWellFormed()) {
		return undefined;
	}
	const point = character.codePointAt(0) ?? 0;
	if (point > 0xffff) {
		return toFourBytes(FIRST_BEYOND + point - 0x1_0000);
	}
	fourByteCodes ??= new Map(
		Array.from({ length: LAST_BASIC + 1 }, (_, pointer) => toFourBytes(pointer)).flatMap((code) => {
			const bytes = Buffer.alloc(MOST_BYTES);
			bytes.writeUInt32BE(code);
			const text = decodeLegacyBytes(bytes, label);
			return text === undefined ? [] : [[text, code] as const];
		}),
	);
	return fourByteCodes.get(character);
}

function toFourBytes(pointer: number): number {
	const digits = [
		Math.floor(pointer / 12_600),
		Math.floor(pointer / 1_260) % 10,
		Math.floor(pointer / 10) % 126,
		pointer % 10,
	];
	return [0x81, 0x30, 0x81, 0x30].reduce((code, base, index) => code * 256 + base + (digits[index] ?? 0), 0);
}

function createLegacyDecoder(label: string): TextDecoder | undefined {
	try {
		return new TextDecoder(label === SHIFT_JIS_NEC ? 'shift_jis' : label, { fatal: true });
	} catch {
		// No encoding of this name.
		return undefined;
	}
}

function decodeLegacyBytes(bytes: Buffer, label: string): string | undefined {
	try {
		return createLegacyDecoder(label)?.decode(bytes);
	} catch {
		// Fatal decoding throws exactly when the bytes are not of this encoding.
		return undefined;
	}
}
