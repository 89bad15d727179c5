/** Cuts to at most `max` UTF-16 units, never inside a character, and marks the cut. Redact first, cut second. */
export function cutText(text: string, max: number): string {
	if (text.length <= max) {
		return text;
	}
	const end = max - 1;
	const last = text.charCodeAt(end - 1);
	const splitsPair = last >= 0xd800 && last <= 0xdbff;
	return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
