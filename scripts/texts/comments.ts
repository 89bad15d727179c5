/** Finds comments that open with a word that names nothing. CONTRIBUTING.md tells how to write them. */

export interface TextProblem {
	/** Line in the file, from 1. */
	readonly line: number;
	readonly message: string;
}

/** Folders whose comments are checked. Add a folder once its comments are rewritten. */
export const coveredFolders = ['src/base', 'src/protocol', 'src/store', 'src/executors', 'src/contract'] as const;

const COMMENT = /\/\*\*\s.*?\*\/|(?:^[ \t]*\/\/[^\n]*(?:\n|$))+/gms;
const MARKS = /^\s*(?:\/\*\*|\*\/|\*|\/\/)[ \t]?/gm;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`])/;
const EMPTY_OPENER = /^(?:What|Who|Whoever|One|Of|It|Its|There|Nothing)\b/;
/** Openers that no folder is free of. */
const VAGUE_OPENER = /^(?:How|Whether|That|Those|By|As)\b/;
const SHOWN_CHARS = 60;

/** `isStrict`: also what opens with a word that names its subject late. */
export function commentProblems(source: string, isStrict = false): TextProblem[] {
	return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
		const line = source.slice(0, index).split('\n').length;
		return sentencesOf(comment)
			.filter((sentence) => EMPTY_OPENER.test(sentence) || (isStrict && VAGUE_OPENER.test(sentence)))
			.map((sentence) => ({
				line,
				message: `a comment starts with the noun or verb of what it documents: "${sentence.slice(0, SHOWN_CHARS)}"`,
			}));
	});
}

function sentencesOf(comment: string): string[] {
	const text = comment.replaceAll(MARKS, '').replace('*/', '').replaceAll(/\s+/g, ' ').trim();
	return text.split(SENTENCE_END);
}
