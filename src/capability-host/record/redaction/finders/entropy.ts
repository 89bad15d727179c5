import { MAX_VALUE_CHARS } from '../limits.ts';

/** Shannon's, in bits for each character of its beginning. */
export function entropyOf(token: string): number {
	const text = token.slice(0, MAX_VALUE_CHARS);
	const counts = new Map<string, number>();
	for (const character of text) {
		counts.set(character, (counts.get(character) ?? 0) + 1);
	}
	let entropy = 0;
	for (const count of counts.values()) {
		const share = count / text.length;
		entropy -= share * Math.log2(share);
	}
	return entropy;
}
