/** A prompt without what does not change its meaning: case, spaces around and between words, punctuation at its end. */
export function plainWords(text: string): string {
	return text
		.trim()
		.toLowerCase()
		.replaceAll('’', "'")
		.replaceAll(/\s+/g, ' ')
		.replace(/ ?[.!?]{1,3}$/, '');
}
