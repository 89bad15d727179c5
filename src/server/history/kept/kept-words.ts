/**
 * Splits the user's words in messages that are left out: those that stay word for word, and those that only the list of
 * the work done mentions.
 */
import { createExcerpt } from '../excerpt.ts';
import { historyLimits } from '../limits.ts';

interface KeptWords {
	/** The task, then what was said since, oldest first. */
	readonly kept: readonly string[];
	/** Said between the first and the last of them, oldest first. */
	readonly left: readonly string[];
}

/**
 * The first and the last stay, with half of the room each at most, and all between them while they fit. Once they do not,
 * the newest half of what fits stays: so they leave by much, and a long thread keeps its room for what is done now.
 */
export function keepWords(words: readonly string[], budgetTokens: number): KeptWords {
	const [first, ...between] = words;
	if (first === undefined) {
		return { kept: [], left: [] };
	}
	const room = Math.floor(budgetTokens * historyLimits.charsPerToken * historyLimits.wordsShare);
	const last = between.pop();
	const task = createExcerpt(first, last === undefined ? room : Math.floor(room / 2)).text;
	const now = last === undefined ? [] : [createExcerpt(last, Math.floor(room / 2)).text];
	const short = between.map((text) => createExcerpt(text, historyLimits.wordsChars).text);
	const most = Math.min(
		room - task.length - (now[0]?.length ?? 0),
		Math.floor(budgetTokens * historyLimits.charsPerToken * historyLimits.sinceShare),
	);
	const from = countListChars(short) <= most ? 0 : firstThatFits(short, most / 2);
	return { kept: [task, ...short.slice(from), ...now], left: short.slice(0, from) };
}

/** Each is a line of a list. */
const FRAME_CHARS = '- \n'.length;

function countListChars(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + text.length + FRAME_CHARS, 0);
}

function firstThatFits(texts: readonly string[], room: number): number {
	let free = room;
	let from = texts.length;
	for (const text of texts.toReversed()) {
		free -= text.length + FRAME_CHARS;
		if (free < 0) {
			break;
		}
		from -= 1;
	}
	return from;
}
