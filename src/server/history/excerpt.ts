import type { ReadOn } from '../models/model-port.ts';
import { READ_RESULT } from './stored-texts.ts';

/** A long text cut to a length: its beginning and its end, with a line between them that says what is missing. */
interface Excerpt {
	readonly text: string;
	/** Characters of the original that are left out. */
	readonly omitted: number;
}

/**
 * The result is no longer than `maxChars`, except for the marker when `maxChars` is tiny; no character is cut in half. With
 * `readOn` the marker says how to read on.
 */
export function createExcerpt(text: string, maxChars: number, readOn?: ReadOn): Excerpt {
	if (text.length <= maxChars) {
		return { text, omitted: 0 };
	}
	const describeReadOn = (offset: number) =>
		readOn === undefined ? '' : `; ${READ_RESULT} with id ${readOn.id} and offset ${readOn.from + offset} reads on`;
	const formatOmissionMarker = (omitted: number, offset: number) =>
		`\n[… ${omitted} of ${text.length} characters left out${describeReadOn(offset)} …]\n`;
	const room = Math.max(0, maxChars - formatOmissionMarker(text.length, text.length).length);
	const headEnd = wholeCharacters(text, Math.ceil(room * 0.7));
	const tailStart = wholeCharacters(text, text.length - Math.floor(room * 0.3));
	const omitted = tailStart - headEnd;
	return { text: text.slice(0, headEnd) + formatOmissionMarker(omitted, headEnd) + text.slice(tailStart), omitted };
}

/** The place at or before `index` that is not between the halves of a surrogate pair. */
export function wholeCharacters(text: string, index: number): number {
	const isInside =
		index > 0 && index < text.length && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
	return isInside ? index - 1 : index;
}

function isHigh(unit: number): boolean {
	return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
	return unit >= 0xdc00 && unit < 0xe000;
}
