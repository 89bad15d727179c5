/** The text of a file as reading it gives it, so that what is read in an encoding is found in it, too. */
import { hasNulsOnBothSides } from '../paths/reading/guess-encoding.ts';
import { findByteOrderMark, readableText } from '../paths/reading/text-encoding.ts';

interface Decoded {
	readonly text: string;
	/** Undefined: UTF-8, or one that the first bytes name. Ripgrep reads both by itself. */
	readonly encoding?: string;
}

/** Encodings that both search engines read alike, without being told. */
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be']);

/** Undefined for binary files. `usual`: the editor's encoding for texts that do not tell theirs. */
export function decodeForSearch(bytes: Buffer, usual: string | undefined): Decoded | undefined {
	const read = readableText(bytes, usual);
	if (read !== undefined) {
		return PLAIN_ENCODINGS.has(read.encoding) ? { text: read.text } : read;
	}
	// Damaged, or in an encoding that nobody names: what is left of it is found.
	const marked = findByteOrderMark(bytes)?.encoding ?? 'utf-8';
	if (marked.startsWith('utf-16')) {
		return { text: new TextDecoder(marked).decode(bytes) };
	}
	return bytes.includes(0) ? undefined : { text: new TextDecoder('utf-8').decode(bytes) };
}

/** True when the first bytes of a file show that it is binary, whatever follows. False leaves it open. */
export function isBinaryFromStart(head: Buffer): boolean {
	return findByteOrderMark(head) === undefined && hasNulsOnBothSides(head);
}
