/** Finds comments that open with a word that names nothing. CONTRIBUTING.md tells how to write them. */

export interface TextProblem {
	/** Line in the file, from 1. */
	readonly line: number;
	readonly message: string;
}

/** Sources whose comments are checked; the specs of this check hold comments that it refuses. */
export const checkedSources = {
	files: ['src/**/*.{ts,tsx}', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts', 'test/**/*.ts'],
	except: ['test/fixtures/**', 'scripts/texts/comments.test.ts'],
} as const;

const COMMENT = /\/\*\*\s.*?\*\/|(?:^[ \t]*\/\/[^\n]*(?:\n|$))+/gms;
const MARKS = /^\s*(?:\/\*\*|\*\/|\*|\/\/)[ \t]?/gm;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`])/;
const EMPTY_OPENER = /^(?:What|Who|Whoever|One|Of|It|Its|There|Nothing|How|Whether|That|Those|By|As)\b/;
const SHOWN_CHARS = 60;

export function commentProblems(source: string): TextProblem[] {
	return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
		const line = source.slice(0, index).split('\n').length;
		return splitAnswerSentences(comment)
			.filter((sentence) => EMPTY_OPENER.test(sentence))
			.map((sentence) => ({
				line,
				message: `a comment starts with the noun or verb of what it documents: "${sentence.slice(0, SHOWN_CHARS)}"`,
			}));
	});
}

function splitAnswerSentences(comment: string): string[] {
	const text = comment.replaceAll(MARKS, '').replace('*/', '').replaceAll(/\s+/g, ' ').trim();
	return text.split(SENTENCE_END);
}
