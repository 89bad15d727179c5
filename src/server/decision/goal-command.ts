/** Finds that a user asks for a goal: `/goal <condition>`, or "Make a goal of this" and its like beside a message. */
import { readMessageWords, withoutPoliteWords } from './message-words.ts';

const GOAL_COMMAND = /^\/goal\s+(?=\S)/i;

/** `/goal <condition>` at the beginning of a message: work until the condition, which follows, holds. */
export function isGoalCommand(message: string): boolean {
	return message.startsWith('/') && GOAL_COMMAND.test(message);
}

/** Words of the user behind the command. */
export function readGoalCondition(message: string): string {
	return message.replace(GOAL_COMMAND, '').replaceAll(/\s+/g, ' ').trim();
}

const GOAL_WISHES: ReadonlySet<string> = new Set([
	'make a goal of this',
	'make a goal of it',
	'make this a goal',
	'make it a goal',
	'work on this as a goal',
	'make a plan first',
	'plan this first',
	'plan it first',
	'mach daraus ein ziel',
	'mache daraus ein ziel',
	'mach ein ziel daraus',
	'mache ein ziel daraus',
	'arbeite daran als ziel',
	'mach zuerst einen plan',
	'mache zuerst einen plan',
	'plane das zuerst',
	'plane es zuerst',
]);

/** Longer than any wish with its polite words. */
const MOST_WISH_CHARS = 80;
const WISH_ENDS = new Set('.!?:,;\n');
const OPENING_JOINTS = new Set(['and', 'but', 'und', 'aber']);

/**
 * Returns what a message says beside its wish for a goal or a plan, which begins or ends it; empty if that is all. Undefined:
 * the user does not ask for one.
 */
export function withoutGoalWish(message: string): string | undefined {
	const text = message.trim();
	const head = [...text.slice(0, MOST_WISH_CHARS)];
	const end = head.findIndex((char) => WISH_ENDS.has(char));
	const first = text.slice(0, end === -1 ? MOST_WISH_CHARS : end);
	if (isGoalWish(first)) {
		return text.slice(first.length + 1).trim();
	}
	const tail = [...text.slice(-MOST_WISH_CHARS)];
	// Behind a colon, the words may be quoted.
	const begin = tail.findLastIndex((char, at) => WISH_ENDS.has(char) && at < tail.length - 1);
	const last = tail.slice(begin + 1).join('');
	return begin !== -1 && tail[begin] !== ':' && isGoalWish(last)
		? text.slice(0, text.length - last.length).trim()
		: undefined;
}

function isGoalWish(clause: string): boolean {
	const words = readMessageWords(clause);
	const own = withoutPoliteWords(OPENING_JOINTS.has(words[0]?.word ?? '') ? words.slice(1) : words);
	return GOAL_WISHES.has(own.map(({ word }) => word).join(' '));
}
