/**
 * Builds the message that replaces messages that are left out: the workspace's rules, where the agent works, the task
 * in the user's words, the user's later words, the plan, and the work done. The message becomes the first of the
 * conversation, so that a thread never forgets its purpose.
 */
import type { LeftOut, ModelMessage, ModelUserMessage } from '../models/model-port.ts';
import { createWorkDigest, planIn } from './digest.ts';
import { createExcerpt } from './excerpt.ts';
import { historyLimits } from './limits.ts';
import { newestRules, newestSkills, TOLD_ENVIRONMENT, toldEnvironment } from './told-sections.ts';
import { collectMessageRules, findStoredPosition, readUserWords } from './messages.ts';

/**
 * `isTurnCut`: the last user's message among them is the one that is being worked on. `told`: what was done in them, and
 * what the user said that does not stay; default: a list.
 */
export function pinnedHead(
	left: readonly ModelMessage[],
	budgetTokens: number,
	isTurnCut: boolean,
	told?: string,
): ModelUserMessage {
	const { kept: words, left: leaving } = keepWords(left.flatMap(listUserWords), budgetTokens);
	const done = told ?? createWorkDigest(left, doneChars(budgetTokens), leaving);
	const current = isTurnCut && words.length > 1 ? words.at(-1) : undefined;
	const between = words.slice(1, current === undefined ? undefined : -1);
	const plan = createExcerpt(planIn(left), historyLimits.planChars).text;
	const note = [
		'<left-out>',
		NOTE,
		...(plan === '' ? [] : [PLAN, plan]),
		...(done === '' ? [] : [DONE, done]),
		...(between.length === 0 ? [] : [SINCE, ...between.map((text) => `- ${text}`)]),
		'</left-out>',
	].join('\n');
	const rules = createExcerpt(
		newestSkills(newestRules(left.map(collectMessageRules).join(''))),
		rulesChars(budgetTokens),
	).text;
	const own = [words[0] ?? '', note, current ?? ''].filter((part) => part !== '').join('\n\n');
	const environment = formatKeptEnvironment(left);
	const leftOut: LeftOut = {
		words,
		plan,
		done,
		messages: left.reduce((sum, message) => sum + countOriginalMessages(message), 0),
	};
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
const SEEN: ModelMessage = { role: 'assistant', parts: [{ kind: 'text', text: SEEN_WORDS }] };

/** Characters of the thread's rules that stay in a conversation that is cut. */
export function rulesChars(budgetTokens: number): number {
	return Math.floor(budgetTokens * historyLimits.charsPerToken * historyLimits.rulesShare);
}

/** Tokens that what is said to have been done in what is left out may take, and its characters. */
export function doneTokens(budgetTokens: number): number {
	return Math.floor(Math.min(historyLimits.doneTokens, budgetTokens * historyLimits.doneShare));
}

export function doneChars(budgetTokens: number): number {
	return doneTokens(budgetTokens) * historyLimits.charsPerToken;
}

const NOTE =
	'Older messages of this conversation are left out here, because it became too long. Look again at what you need.';
const PLAN = 'The plan when they ended:';
const DONE = 'What was done in them, as data:';
const SINCE = 'In them the user also said:';

/** Where the agent works, as it was told last; empty when nobody said. */
function formatKeptEnvironment(left: readonly ModelMessage[]): string {
	const lines = [...toldEnvironment(left)].map(
		(line) => createExcerpt(line.join(': '), historyLimits.environmentChars).text,
	);
	return lines.length === 0 ? '' : `\n\n<${TOLD_ENVIRONMENT}>\n${lines.join('\n')}\n</${TOLD_ENVIRONMENT}>`;
}

/** Returns the user's words in these messages that will not stay word for word. */
export function leavingWords(left: readonly ModelMessage[], budgetTokens: number): readonly string[] {
	return keepWords(left.flatMap(listUserWords), budgetTokens).left;
}

function listUserWords(message: ModelMessage): readonly string[] {
	if (message.role !== 'user') {
		return [];
	}
	const words = message.leftOut?.words ?? [readUserWords(message)];
	return words.filter((text) => text !== '');
}

function countOriginalMessages(message: ModelMessage): number {
	if (message.role === 'assistant') {
		return message.parts.some((part) => part.kind === 'text' && part.text === SEEN_WORDS) ? 0 : 1;
	}
	return message.role === 'user' && message.leftOut !== undefined ? message.leftOut.messages : 1;
}

/** Messages that are replaced for good: in the thread as it is stored, the model is shown a head in their place. */
export interface LeavingMessages {
	readonly messages: readonly ModelMessage[];
	/** The first that stays; absent: none does. */
	readonly first?: ModelMessage;
}

/** The messages up to `dropped`, or a little more: what stays begins with an answer or a user's message that is stored as it is. */
export function leavingUpTo(messages: readonly ModelMessage[], dropped: number): LeavingMessages | undefined {
	if (dropped === 0) {
		return undefined;
	}
	const at = messages.findIndex(
		(message, index) => index >= dropped && message.role !== 'tool' && findStoredPosition(message) !== undefined,
	);
	const first = messages[at];
	return first === undefined ? undefined : { messages: messages.slice(0, at), first };
}

/**
 * Returns the replacement for the removed messages. `SEEN` follows the head unless the first kept message is an answer,
 * so that roles alternate.
 */
export function standIn({ messages, first }: LeavingMessages, budgetTokens: number, done?: string): ModelMessage[] {
	const head = pinnedHead(messages, budgetTokens, first !== undefined && isWithinTurn(first), done);
	return first?.role === 'assistant' ? [head] : [head, SEEN];
}

function isWithinTurn(first: ModelMessage): boolean {
	return first.role !== 'user' || readUserWords(first) === '';
}

/**
 * The user's words in messages that are left out: those that stay word for word, and those that only the list of the
 * work done mentions.
 */
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
