/**
 * Tokens of a text without a tokenizer, by classes of bytes of its UTF-8 form: letters, digits and underscore ÷ 4.2,
 * space, tab and line ends ÷ 6, bytes of other scripts ÷ 2.5, the rest of ASCII ÷ 2.2; the sum is rounded up.
 */

const WORD = 0;
const SPACE = 1;
const SIGN = 2;

const classOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
	if (/\w/.test(String.fromCharCode(code))) {
		return WORD;
	}
	return code === 32 || code === 9 || code === 10 || code === 13 ? SPACE : SIGN;
});

export function estimateTokens(text: string): number {
	let words = 0;
	let spaces = 0;
	let signs = 0;
	let otherBytes = 0;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		if (unit >= 0x80) {
			// A surrogate is one half of a four-byte character.
			otherBytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
			continue;
		}
		switch (classOfAscii[unit]) {
			case WORD:
				words += 1;
				break;
			case SPACE:
				spaces += 1;
				break;
			default:
				signs += 1;
		}
	}
	return Math.ceil(words / 4.2 + spaces / 6 + otherBytes / 2.5 + signs / 2.2);
}
