/** The smallest single replacement that turns one text into another, so that cursors and folds elsewhere stay. */
interface MinimalEdit {
	/** Offsets in the old text. */
	readonly start: number;
	readonly end: number;
	readonly insert: string;
}

export function minimalEdit(before: string, after: string): MinimalEdit {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) {
		start += 1;
	}
	let same = 0;
	while (
		same < shorter - start &&
		before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
	) {
		same += 1;
	}
	// An edit position inside CRLF or a surrogate pair would be moved by the editor: step out of both.
	if (splitsPair(before, start) || splitsPair(after, start)) {
		start -= 1;
	}
	if (same > 0 && (splitsPair(before, before.length - same) || splitsPair(after, after.length - same))) {
		same -= 1;
	}
	return { start, end: before.length - same, insert: after.slice(start, after.length - same) };
}

function splitsPair(text: string, offset: number): boolean {
	const left = text.charCodeAt(offset - 1);
	const right = text.charCodeAt(offset);
	return (left === 13 && right === 10) || (left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000);
}
