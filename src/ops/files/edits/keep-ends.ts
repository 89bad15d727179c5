/** The line ends of a file whose whole text is replaced: whoever has read it was given LF. */
import { isCrOnly, LineEnds } from '../../line-ends.ts';
import { replacedLines } from './replaced-lines.ts';

/** Ends of lines of a whole text, as they are told. Undefined: LF, or none. */
export function namedEnds(text: string): 'CRLF' | 'CR' | 'mixed' | undefined {
	const ends = new LineEnds(text);
	return isCrOnly(text) ? 'CR' : ends.isMixed ? 'mixed' : ends.usual === '\r\n' ? 'CRLF' : undefined;
}

/**
 * A whole new text, which was written with LF, with the line ends of the one that it replaces: lines that stay keep theirs, new ones get those of
 * their neighbours.
 */
export function keepLineEnds(before: string, after: string): string {
	if (after.includes('\r\n')) {
		return after;
	}
	if (isCrOnly(before)) {
		return after.replaceAll('\n', '\r');
	}
	const { lf, usual, isMixed } = new LineEnds(before);
	if (!isMixed) {
		return usual === '\n' ? after : after.replaceAll('\n', usual);
	}
	const replacing = { there: before, find: lf, replace: after, isAligned: true, usualEnd: usual };
	return replacedLines({ ...replacing, indented: (line) => line }) ?? after;
}
