/** Cuts an answer into its sentences and the items of its lists. Patterns are compiled only where their marks occur. */

interface AnswerSentence {
	readonly sentence: string;
	readonly isItem: boolean;
	/** An item that is ticked off. */
	readonly isTicked: boolean;
}

/** Longer than any sentence with a claim. */
const MAX_SENTENCE = 500;

/** Without code that is shown, quotations and headings. */
export function splitAnswerSentences(text: string): AnswerSentence[] {
	const own = mayHaveFence(text) ? text.replaceAll(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gmu, '\n') : text;
	const prose = hasAnyMark(own, '>#|') ? own.replaceAll(/^\s*(?:>|#|\|).*$/gmu, '\n') : own;
	const unquoted = hasAnyMark(prose, '"“„') ? prose.replaceAll(/["“„][^"“”„\n]*["”“]/gu, '""') : prose;
	return unquoted
		.split(/(?<=[.!?])\s+|\n+/u)
		.map((line) => {
			if (!mayBeItem(line)) {
				return { sentence: line.replaceAll('**', '').trim(), isTicked: false, isItem: false };
			}
			const sentence = line
				.replace(/^\s*(?:[-*•✅✓☑✔🎉]\s*)*(?:\[x\]\s*|\d+[.)]\s*)?/iu, '')
				.replaceAll('**', '')
				.trim();
			// Items that are ticked off are done, whatever stands above the list.
			const isTicked = /^\s*(?:[-*•]\s*)?(?:\[x\]|[✅✓☑✔])/iu.test(line);
			return { sentence, isTicked, isItem: /^\s*(?:[-*•]\s|\d+[.)]\s)/u.test(line) };
		})
		.filter(({ sentence }) => sentence !== '' && sentence.length <= MAX_SENTENCE);
}

function hasAnyMark(text: string, marks: string): boolean {
	return [...marks].some((mark) => text.includes(mark));
}

/** Begins with a mark or a digit, as an item of a list does; any other line is only prose. */
function mayBeItem(line: string): boolean {
	const first = line.trimStart().charAt(0).toLowerCase();
	return first === first.toUpperCase();
}

export function mayHaveFence(text: string): boolean {
	return text.includes('```') || text.includes('~~~');
}
