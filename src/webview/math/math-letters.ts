/** Letters in a style of mathematics, as characters of their own: browsers draw no other `mathvariant` than `normal` (MathML Core, section 2.1.6). */

/** First capital, first small letter and first digit of each alphabet (Unicode, Mathematical Alphanumeric Symbols). */
const ALPHABETS: Readonly<Record<string, readonly [capital: number, small: number, digit?: number]>> = {
	bold: [0x1d400, 0x1d41a, 0x1d7ce],
	italic: [0x1d434, 0x1d44e],
	'bold-italic': [0x1d468, 0x1d482],
	script: [0x1d49c, 0x1d4b6],
	'bold-script': [0x1d4d0, 0x1d4ea],
	fraktur: [0x1d504, 0x1d51e],
	'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
	'bold-fraktur': [0x1d56c, 0x1d586],
	'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
	'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
	'sans-serif-italic': [0x1d608, 0x1d622],
	'sans-serif-bold-italic': [0x1d63c, 0x1d656],
	monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};

/** Letters that were in Unicode before their alphabet was, which has a gap in their place. */
const EARLIER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	italic: { h: 'ℎ' },
	script: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
	fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
	'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
};

/** Letters and digits of ASCII in the alphabet; what it does not have stays as it is. */
export function inAlphabet(text: string, alphabet: string): string {
	const [capital, small, digit] = ALPHABETS[alphabet] ?? [];
	return text.replace(/[A-Za-z0-9]/g, (letter) => {
		const [first, base] = /\d/.test(letter) ? ['0', digit] : letter < 'a' ? ['A', capital] : ['a', small];
		const earlier = EARLIER[alphabet]?.[letter];
		return (
			earlier ?? (base === undefined ? letter : String.fromCodePoint(base + letter.charCodeAt(0) - first.charCodeAt(0)))
		);
	});
}
