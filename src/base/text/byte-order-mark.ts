/** Returns the text without the mark that some editors put before it. */
export function withoutByteOrderMark(text: string): string {
	return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
