/**
 * Conversion between the bytes of a text file and its text. The mark before the text (byte order mark) and the encoding
 * are written back as they were.
 */
import { lineOfHalfPair } from '../../../base/text/well-formed.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { guessEncoding } from './guess-encoding.ts';
import { encodeLegacy, firstForeign } from './legacy-encoding.ts';

export interface DecodedText {
	/** Without its mark; line endings as they are. */
	readonly text: string;
	/** `utf-8`, `utf-8-bom`, `utf-16le` and the like with a mark, `-bare` without one, or the label of one from before Unicode. */
	readonly encoding: string;
	/** Encodings that may be meant instead, where it is a guess; empty: any. Absent: it is sure. */
	readonly others?: readonly string[];
}

export const USUAL_ENCODING = 'utf-8';

const PDF_SIGNATURE = Buffer.from('%PDF-');

/** The longer mark comes first: that of UTF-16 begins that of UTF-32. */
const marks: readonly { readonly encoding: string; readonly bytes: Buffer }[] = [
	{ encoding: 'utf-32le', bytes: Buffer.from([0xff, 0xfe, 0, 0]) },
	{ encoding: 'utf-32be', bytes: Buffer.from([0, 0, 0xfe, 0xff]) },
	{ encoding: 'utf-8-bom', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
	{ encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
	{ encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** `usual`: encoding of texts that say nothing, as the editor is set; a label of the platform's decoder. */
export function decodeText(path: string, bytes: Buffer, usual?: string): DecodedText {
	const decoded = readableText(bytes, usual);
	if (decoded === undefined) {
		throw notText(path, bytes.length, bytes);
	}
	return decoded;
}

/** Undefined: binary, or in an encoding that nothing tells. */
export function readableText(bytes: Buffer, usual: string | undefined): DecodedText | undefined {
	return decodeMarked(bytes) ?? decodeUtf8(bytes) ?? (isPdf(bytes) ? undefined : guessEncoding(bytes, usual));
}

/** `head`: how the file begins. */
export function notText(path: string, bytes: number, head: Buffer): ProwessError {
	if (isPdf(head)) {
		const message = `${path} is a PDF (${bytes} bytes), whose text is not read here`;
		return new ProwessError('FILE_IS_BINARY', message, { path, bytes, pdf: path });
	}
	const message = `${path} is binary (${bytes} bytes), not text, or in an encoding that its bytes do not tell, nor files.encoding of the editor or --encoding of the command line`;
	return new ProwessError('FILE_IS_BINARY', message, { path, bytes });
}

/**
 * True for a PDF. Letters of a PDF lie in compressed streams, which would be nonsense in any encoding; a PDF in plain
 * ASCII counts as the text that it is.
 */
export function isPdf(bytes: Buffer): boolean {
	return bytes.subarray(0, PDF_SIGNATURE.length).equals(PDF_SIGNATURE);
}

/** The mark that a text begins with, and the encoding that it stands for. */
export function findByteOrderMark(bytes: Buffer): { readonly encoding: string; readonly bytes: Buffer } | undefined {
	return marks.find((mark) => bytes.subarray(0, mark.bytes.length).equals(mark.bytes));
}

/** Rejects with INVALID_PARAMS when the text has a character that the encoding has not, or half of one. */
export function encodeText(path: string, content: string, encoding: string): Buffer {
	const line = lineOfHalfPair(content);
	if (line !== undefined) {
		const message = `the new text of ${path} has half of a surrogate pair, which is no character (line ${line})`;
		const said = text('Line {line} of the new text of "{path}" has half of a character.', { line, path });
		throw new ProwessError('INVALID_PARAMS', message, { path, line, said });
	}
	const mark = marks.find((m) => m.encoding === encoding)?.bytes ?? Buffer.alloc(0);
	switch (encoding) {
		case USUAL_ENCODING:
		case 'utf-8-bom':
			return Buffer.concat([mark, Buffer.from(content, 'utf8')]);
		case 'utf-16le':
		case 'utf-16le-bare':
			return Buffer.concat([mark, Buffer.from(content, 'utf16le')]);
		case 'utf-16be':
		case 'utf-16be-bare':
			return Buffer.concat([mark, Buffer.from(content, 'utf16le').swap16()]);
		case 'utf-32le':
		case 'utf-32be':
			return Buffer.concat([mark, encodeUtf32(content, encoding)]);
		default: {
			const bytes = encodeLegacy(content, encoding);
			if (bytes !== undefined) {
				return bytes;
			}
			const { character = '', line = 1 } = firstForeign(content, encoding) ?? {};
			const message = `${path} is in the encoding ${encoding}, which has no ${JSON.stringify(character)} (line ${line} of the new text)`;
			throw new ProwessError('INVALID_PARAMS', message, {
				path,
				encoding,
				line,
				said: text('"{path}" is in the encoding {encoding}, which has no {character}.', {
					path,
					encoding,
					character: JSON.stringify(character),
				}),
			});
		}
	}
}

/** True when the character has the same bytes in all of them. */
export function isSameIn(character: string, encodings: readonly string[]): boolean {
	const [first, ...rest] = encodings.map((encoding) => encodeLegacy(character, encoding));
	return first !== undefined && rest.every((bytes) => bytes?.equals(first) === true);
}

/** In the editor's encoding, where that has all characters and reading it gives the same text; else UTF-8. */
export function encodeNew(text: string, usual: string | undefined): Buffer {
	const bytes = usual === undefined ? undefined : encodeLegacy(text, usual);
	const isRead = bytes !== undefined && readableText(bytes, usual)?.text === text;
	return isRead ? bytes : Buffer.from(text, 'utf8');
}

function decodeMarked(bytes: Buffer): DecodedText | undefined {
	for (const { encoding, bytes: mark } of marks) {
		if (bytes.subarray(0, mark.length).equals(mark)) {
			const body = bytes.subarray(mark.length);
			const text = encoding.startsWith('utf-32')
				? decodeUtf32(body, encoding)
				: decodeKeepingMark(body, encoding.replace('-bom', ''));
			if (text !== undefined && !(encoding === 'utf-8-bom' && body.includes(0))) {
				return { text, encoding };
			}
		}
	}
	return undefined;
}

function decodeUtf8(bytes: Buffer): DecodedText | undefined {
	const text = bytes.includes(0) ? undefined : decodeKeepingMark(bytes, USUAL_ENCODING);
	return text === undefined ? undefined : { text, encoding: USUAL_ENCODING };
}

function decodeKeepingMark(bytes: Buffer, label: string): string | undefined {
	try {
		return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		// Fatal decoding throws exactly when the bytes are not of this encoding.
		return undefined;
	}
}

function decodeUtf32(bytes: Buffer, encoding: string): string | undefined {
	if (bytes.length % 4 !== 0) {
		return undefined;
	}
	let text = '';
	for (let at = 0; at < bytes.length; at += 4) {
		const code = encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
		if (code === 0 || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)) {
			return undefined;
		}
		text += String.fromCodePoint(code);
	}
	return text;
}

function encodeUtf32(text: string, encoding: string): Buffer {
	const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
	const bytes = Buffer.alloc(codes.length * 4);
	codes.forEach((code, index) =>
		encoding === 'utf-32le' ? bytes.writeUInt32LE(code, index * 4) : bytes.writeUInt32BE(code, index * 4),
	);
	return bytes;
}
