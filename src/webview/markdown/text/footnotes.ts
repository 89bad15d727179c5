/** Numbered footnotes in a text, as models write them. A name in place of the number could be a regular expression. Pure. */
const FOOTNOTE_MARK = /(\n?)\[\^(\d{1,3})\](:?)/g;

/** `isNote`: the note itself follows; else the mark refers to it. */
type FootnotePiece = string | { readonly number: string; readonly isNote: boolean };

/** The pieces in order. */
export function notesIn(text: string): readonly FootnotePiece[] {
	const pieces: FootnotePiece[] = [];
	let end = 0;
	for (const match of text.matchAll(FOOTNOTE_MARK)) {
		const [whole, lineEnd = '', number = '', colon = ''] = match;
		const isNote = colon !== '' && (lineEnd !== '' || match.index === 0);
		pieces.push(text.slice(end, match.index) + (isNote ? '' : lineEnd), { number, isNote });
		end = match.index + whole.length - (isNote ? 0 : colon.length);
	}
	return [...pieces, text.slice(end)].filter((piece) => piece !== '');
}
