/** An answer that is to be none (S2-23): one of these words, and nothing else. */
const SILENCE_WORDS = ['NO_REPLY', '[SILENT]'];

/** Stands in the history in its place. */
export const SILENT_MARK = '[no reply needed]';

export function isSilence(text: string): boolean {
	return SILENCE_WORDS.includes(text.trim());
}

/** A text that comes piece by piece may still become one of the words. */
export function mayBecomeSilence(text: string): boolean {
	const begun = text.trim();
	return SILENCE_WORDS.some((word) => word.startsWith(begun));
}
