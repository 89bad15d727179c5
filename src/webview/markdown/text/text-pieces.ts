/** A long text in pieces, each of which a page lays out by itself. Pure. */

/** Laid out in a few milliseconds, also where every line is empty. */
export const PIECE_LENGTH = 8_000;

/** The text in order, cut at ends of lines where there are any. While it grows, finished pieces stay as they are. */
export function textPieces(text: string): readonly string[] {
	const pieces: string[] = [];
	let start = 0;
	while (text.length - start > PIECE_LENGTH) {
		const most = start + PIECE_LENGTH;
		const line = text.lastIndexOf('\n', most - 1) + 1;
		const end = line > start ? line : withinNoCharacter(text, most);
		pieces.push(text.slice(start, end));
		start = end;
	}
	pieces.push(text.slice(start));
	return pieces;
}

function withinNoCharacter(text: string, end: number): number {
	const last = text.charCodeAt(end - 1);
	return last >= 0xd8_00 && last <= 0xdb_ff ? end - 1 : end;
}
