/** Places in a text that must not be shown, and which of them count. */

export interface TextPlace {
	readonly start: number;
	readonly end: number;
}

/** A stretch of a text that must not be shown. */
export interface SecretFinding extends TextPlace {
	readonly family: string;
}

/** In the order of the text, without those that lie inside of another one: they are redacted with it. */
export function pickOutermost(findings: readonly SecretFinding[]): SecretFinding[] {
	const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
	let end = -1;
	return sorted.filter((finding) => {
		const isOutermost = finding.end > end;
		end = Math.max(end, finding.end);
		return isOutermost;
	});
}
