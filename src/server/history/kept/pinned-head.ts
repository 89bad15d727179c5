/**
 * Builds the message that replaces messages that are left out: the workspace's rules, where the agent works, the task
 * in the user's words, the user's later words, the plan, and the work done. The message becomes the first of the
 * conversation, so that a thread never forgets its purpose.
 */
import type { LeftOut, ModelMessage, UserMessage } from '../../models/model-port.ts';
import { digest, planIn } from './digest.ts';
import { excerpt } from '../excerpt.ts';
import { keepWords } from './kept-words.ts';
import { limits } from '../limits.ts';
import { TOLD_ENVIRONMENT, toldEnvironment } from './told-environment.ts';
import { newestRules } from './told-rules.ts';
import { newestSkills } from './told-skills.ts';
import { rulesIn, wordsOf } from './user-message.ts';

/**
 * `isTurnCut`: the last user's message among them is the one that is being worked on. `told`: what was done in them, and
 * what the user said that does not stay; default: a list.
 */
export function pinnedHead(
	left: readonly ModelMessage[],
	budgetTokens: number,
	isTurnCut: boolean,
	told?: string,
): UserMessage {
	const { kept: words, left: leaving } = keepWords(left.flatMap(wordsIn), budgetTokens);
	const done = told ?? digest(left, doneChars(budgetTokens), leaving);
	const current = isTurnCut && words.length > 1 ? words.at(-1) : undefined;
	const between = words.slice(1, current === undefined ? undefined : -1);
	const plan = excerpt(planIn(left), limits.planChars).text;
	const note = [
		'<left-out>',
		NOTE,
		...(plan === '' ? [] : [PLAN, plan]),
		...(done === '' ? [] : [DONE, done]),
		...(between.length === 0 ? [] : [SINCE, ...between.map((text) => `- ${text}`)]),
		'</left-out>',
	].join('\n');
	const rules = excerpt(newestSkills(newestRules(left.map(rulesIn).join(''))), rulesChars(budgetTokens)).text;
	const own = [words[0] ?? '', note, current ?? ''].filter((part) => part !== '').join('\n\n');
	const environment = environmentOf(left);
	const leftOut: LeftOut = { words, plan, done, messages: left.reduce((sum, message) => sum + countOf(message), 0) };
	return {
		role: 'user',
		text: own + environment + rules,
		ownChars: own.length,
		...(rules === '' ? {} : { rulesChars: rules.length }),
		leftOut,
	};
}

const SEEN_WORDS = 'I go on from there.';

/** Follows the head where the user speaks next: nobody speaks twice in a row. */
export const SEEN: ModelMessage = { role: 'assistant', parts: [{ kind: 'text', text: SEEN_WORDS }] };

/** Characters of the thread's rules that stay in a conversation that is cut. */
export function rulesChars(budgetTokens: number): number {
	return Math.floor(budgetTokens * limits.charsPerToken * limits.rulesShare);
}

/** Tokens that what is said to have been done in what is left out may take, and its characters. */
export function doneTokens(budgetTokens: number): number {
	return Math.floor(Math.min(limits.doneTokens, budgetTokens * limits.doneShare));
}

export function doneChars(budgetTokens: number): number {
	return doneTokens(budgetTokens) * limits.charsPerToken;
}

const NOTE =
	'Older messages of this conversation are left out here, because it became too long. Look again at what you need.';
const PLAN = 'The plan when they ended:';
const DONE = 'What was done in them, as data:';
const SINCE = 'In them the user also said:';

/** Where the agent works, as it was told last; empty when nobody said. */
function environmentOf(left: readonly ModelMessage[]): string {
	const lines = [...toldEnvironment(left)].map((line) => excerpt(line.join(': '), limits.environmentChars).text);
	return lines.length === 0 ? '' : `\n\n<${TOLD_ENVIRONMENT}>\n${lines.join('\n')}\n</${TOLD_ENVIRONMENT}>`;
}

/** Returns the user's words in these messages that will not stay word for word. */
export function leavingWords(left: readonly ModelMessage[], budgetTokens: number): readonly string[] {
	return keepWords(left.flatMap(wordsIn), budgetTokens).left;
}

function wordsIn(message: ModelMessage): readonly string[] {
	if (message.role !== 'user') {
		return [];
	}
	const words = message.leftOut?.words ?? [wordsOf(message)];
	return words.filter((text) => text !== '');
}

function countOf(message: ModelMessage): number {
	if (message.role === 'assistant') {
		return message.parts.some((part) => part.kind === 'text' && part.text === SEEN_WORDS) ? 0 : 1;
	}
	return message.role === 'user' && message.leftOut !== undefined ? message.leftOut.messages : 1;
}
