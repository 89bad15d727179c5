/**
 * Text of a file of any size, in pieces, for callers that look at a part of it. The text is judged as far as it is
 * read, and never held as a whole, so that no caller can write it back.
 */
import type { FileHandle } from 'node:fs/promises';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { guessEncoding } from './guess-encoding.ts';
import { PIECE_BYTES, TEXT_FILE_BYTES } from '../limits.ts';
import { withOpenFile } from './open-file.ts';
import { isPdf, findByteOrderMark, notText, USUAL_ENCODING } from './text-encoding.ts';
import type { Located } from '../workspace-paths.ts';

export interface TextSink {
	/** False once it needs no more. */
	take(text: string): boolean;
}

interface PiecesRead<Sink> {
	readonly sink: Sink;
	readonly encoding: string;
	/** The sink was given the text to its end. */
	readonly isWhole: boolean;
}

/**
 * Reads the text in pieces into a sink; `begin` makes a new sink for each encoding that is tried. A file that grows
 * meanwhile is read up to the length it had when it was opened.
 */
export async function readPieces<Sink extends TextSink>(
	located: Located,
	begin: () => Sink,
	signal: AbortSignal,
): Promise<PiecesRead<Sink>> {
	return await withOpenFile(located, signal, ({ handle, size }) => readOpen({ handle, size, located }, begin, signal));
}

interface LocatedOpenFile {
	readonly handle: FileHandle;
	readonly size: number;
	readonly located: Located;
}

async function readOpen<Sink extends TextSink>(
	file: LocatedOpenFile,
	begin: () => Sink,
	signal: AbortSignal,
): Promise<PiecesRead<Sink>> {
	const { path, usualEncoding } = file.located;
	const head = await pieceAt(file, 0);
	const mark = findByteOrderMark(head);
	const start = mark?.bytes.length ?? 0;
	const marked = mark?.encoding ?? USUAL_ENCODING;
	refuseUtf32(file, marked);
	const readWithEncoding = async (encoding: string) => {
		const sink = begin();
		return { sink, encoding, end: await feedSink(file, start, encoding, sink, signal) };
	};
	const first = await readWithEncoding(marked);
	if (first.end.kind === 'read') {
		return { ...first, isWhole: first.end.isWhole };
	}
	const { piece, isFirst, hadForeign } = first.end;
	// Text read so far that was UTF-8 and more than ASCII rules out an encoding from before Unicode.
	const guess = hadForeign ? undefined : guessEncoding(wholeLines(piece, isFirst), usualEncoding);
	const isLate = !isFirst && guess?.encoding.endsWith('-bare') === true;
	if (mark !== undefined || guess === undefined || isLate || isPdf(head)) {
		throw notText(path, file.size, head);
	}
	const second = await readWithEncoding(guess.encoding);
	if (second.end.kind === 'read') {
		return { ...second, isWhole: second.end.isWhole };
	}
	throw notText(path, file.size, head);
}

/** The platform decodes none, and such files are too rare for a decoder of our own. */
function refuseUtf32({ size, located }: LocatedOpenFile, encoding: string): void {
	if (encoding.startsWith('utf-32')) {
		const message = `${located.path} has ${size} bytes in ${encoding}: texts of that encoding are read up to ${TEXT_FILE_BYTES} bytes`;
		throw new ProwessError('FILE_TOO_LARGE', message, { path: located.path, bytes: size, limit: TEXT_FILE_BYTES });
	}
}

type FeedEnd =
	| { readonly kind: 'read'; readonly isWhole: boolean }
	/** `piece` is not of this encoding. */
	| { readonly kind: 'other'; readonly piece: Buffer; readonly isFirst: boolean; readonly hadForeign: boolean };

async function feedSink(
	file: LocatedOpenFile,
	start: number,
	encoding: string,
	sink: TextSink,
	signal: AbortSignal,
): Promise<FeedEnd> {
	const isWide = encoding.startsWith('utf-16');
	const decoder = new TextDecoder(encoding.replace(/-(?:bom|bare|nec)$/, ''), { fatal: true, ignoreBOM: true });
	let hadForeign = false;
	let at = start;
	for (;;) {
		signal.throwIfAborted();
		const piece = await pieceAt(file, at);
		const isLast = piece.length === 0 || at + piece.length >= file.size;
		const other: FeedEnd = { kind: 'other', piece, isFirst: at === start, hadForeign };
		if (!isWide && piece.includes(0)) {
			return other;
		}
		let text: string;
		try {
			text = decoder.decode(piece, { stream: !isLast });
		} catch {
			// Fatal decoding throws exactly when the bytes are not of this encoding.
			return other;
		}
		const wantsMore = sink.take(text);
		if (isLast || !wantsMore) {
			return { kind: 'read', isWhole: isLast };
		}
		hadForeign ||= !isWide && text.length < piece.length;
		at += piece.length;
	}
}

async function pieceAt({ handle, size }: LocatedOpenFile, position: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(PIECE_BYTES, size - position)));
	const { bytesRead } = await handle.read({ buffer, position });
	return buffer.subarray(0, bytesRead);
}

/** A piece may begin or end inside of a character, a line of it does not. */
function wholeLines(piece: Buffer, isFirst: boolean): Buffer {
	if (piece.includes(0)) {
		return piece.subarray(0, piece.length - (piece.length % 2));
	}
	const from = isFirst ? 0 : piece.indexOf('\n') + 1;
	const to = piece.lastIndexOf('\n') + 1;
	return piece.subarray(from, to > from ? to : piece.length);
}
