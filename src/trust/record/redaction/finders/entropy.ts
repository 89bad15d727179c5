import { MAX_VALUE_CHARS } from '../limits.ts';

/**
 * Number of occurrences in the token by code unit; all 0 between two calls. Allocated once, because searches compute
 * the entropy at each place they look at.
 */
const counts = new Uint16Array(0x1_00_00);

/** Shannon's, in bits for each code unit of its beginning. */
export function computeEntropy(token: string): number {
	const length = Math.min(token.length, MAX_VALUE_CHARS);
	for (let at = 0; at < length; at += 1) {
		const code = token.charCodeAt(at);
		counts[code] = (counts[code] ?? 0) + 1;
	}
	let entropy = 0;
	for (let at = 0; at < length; at += 1) {
		const code = token.charCodeAt(at);
		const count = counts[code] ?? 0;
		if (count > 0) {
			counts[code] = 0;
			const share = count / length;
			entropy -= share * Math.log2(share);
		}
	}
	return entropy;
}

/**
 * True for a text that is filled up with one character, as a sample is. Chance makes no such row; bytes of zero in Base64 do,
 * which are rows of `A`.
 */
export function isFilled(token: string): boolean {
	return /([^A])\1{7}/.test(token);
}
