/** Bytes of a text file ↔ its text. What was there before the text (BOM, UTF-16) is written back as it was. */
import { ProwessError } from '../../../protocol/errors.ts';

type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

export interface DecodedText {
	/** Without BOM; line endings as they are. */
	readonly text: string;
	readonly encoding: TextEncoding;
}

const marks: readonly { readonly encoding: TextEncoding; readonly bytes: Buffer }[] = [
	{ encoding: 'utf-8-bom', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
	{ encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
	{ encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** Undefined: not text. A NUL or a sequence that is not UTF-8 means binary. */
function tryDecodeText(bytes: Buffer): DecodedText | undefined {
	const mark = marks.find((m) => bytes.subarray(0, m.bytes.length).equals(m.bytes));
	const body = bytes.subarray(mark?.bytes.length ?? 0);
	const encoding = mark?.encoding ?? 'utf-8';
	const label = encoding === 'utf-8-bom' ? 'utf-8' : encoding;
	if (label === 'utf-8' && body.includes(0)) {
		return undefined;
	}
	try {
		return { text: new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(body), encoding };
	} catch {
		// Fatal decoding throws exactly when the bytes are not of this encoding.
		return undefined;
	}
}

export function decodeText(path: string, bytes: Buffer): DecodedText {
	const decoded = tryDecodeText(bytes);
	if (decoded === undefined) {
		throw new ProwessError('FILE_IS_BINARY', `${path} is binary (${bytes.length} bytes), not text`, {
			path,
			bytes: bytes.length,
		});
	}
	return decoded;
}

export function encodeText(text: string, encoding: TextEncoding): Buffer {
	const mark = marks.find((m) => m.encoding === encoding)?.bytes ?? Buffer.alloc(0);
	const body = Buffer.from(text, encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf16le' : 'utf8');
	return Buffer.concat([mark, encoding === 'utf-16be' ? body.swap16() : body]);
}
