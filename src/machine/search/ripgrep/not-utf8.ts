/**
 * A pattern of ripgrep for the bytes that no UTF-8 text has: with it, one pass names the files that ripgrep would read as what they are not. A NUL is
 * one of them, so binary files are named, too.
 */

const CONTINUATION_BYTE = String.raw`[\x80-\xbf]`;
const NOT_NEXT = String.raw`(?:[^\x80-\xbf]|$)`;

/** Returns a pattern for the bytes behind a leading byte that needs `following` more: too few of them, or too many. */
function createWrongBytesPattern(following: number): string {
	return following === 0
		? CONTINUATION_BYTE
		: `(?:${NOT_NEXT}|${CONTINUATION_BYTE}${createWrongBytesPattern(following - 1)})`;
}

export const NOT_UTF8 = [
	String.raw`(?-u)\x00`,
	String.raw`(?:^|[\x00-\x7f])${CONTINUATION_BYTE}`,
	String.raw`[\xc0\xc1\xf5-\xff]`,
	String.raw`\xe0[\x80-\x9f]|\xed[\xa0-\xbf]|\xf0[\x80-\x8f]|\xf4[\x90-\xbf]`,
	String.raw`[\xc2-\xdf]${createWrongBytesPattern(1)}`,
	String.raw`[\xe0-\xef]${createWrongBytesPattern(2)}`,
	String.raw`[\xf0-\xf4]${createWrongBytesPattern(3)}`,
].join('|');
