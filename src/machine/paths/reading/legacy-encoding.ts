/**
 * Encodings from before Unicode. The platform decodes them; the way back is a table made of that, so that what was read is written as the same
 * bytes, or not at all. Encodings with a state between characters are left out.
 */

/** Tables of encodings in use, by name; each is made when it is first needed. */
const tables = new Map<string, ReadonlyMap<string, number>>();

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
	const bytes = Buffer.allocUnsafe(text.length * 2);
	let length = 0;
	for (const character of text) {
		const code = character.charCodeAt(0) < FIRST_HIGH ? character.charCodeAt(0) : table.get(character);
		if (code === undefined) {
			return undefined;
		}
		if (code > LAST_BYTE) {
			bytes[length++] = code >> 8;
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
	const addCode = (bytes: readonly number[], code: number) => {
		const text = decodeLegacyBytes(Buffer.from(bytes), label);
		if (text !== undefined && Array.from(text).length === 1 && !table.has(text)) {
			table.set(text, code);
		}
	};
	for (let lead = FIRST_HIGH; lead <= LAST_BYTE; lead++) {
		addCode([lead], lead);
	}
	// A lead byte is none by itself: an encoding of single bytes has nothing here.
	for (let lead = FIRST_HIGH; lead <= LAST_BYTE; lead++) {
		if (decodeLegacyBytes(Buffer.from([lead]), label) === undefined) {
			for (let trail = FIRST_TRAIL; trail <= LAST_BYTE; trail++) {
				addCode([lead, trail], (lead << 8) | trail);
			}
		}
	}
	tables.set(label, table);
	return table;
}

function decodeLegacyBytes(bytes: Buffer, label: string): string | undefined {
	try {
		return new TextDecoder(label, { fatal: true }).decode(bytes);
	} catch {
		// Fatal decoding throws exactly when the bytes are not of this encoding.
		return undefined;
	}
}
