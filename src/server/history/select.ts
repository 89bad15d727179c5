/**
 * The one place that cuts a conversation for the model. The cut is computed from the beginning of the conversation as
 * it grew, so the same messages are always cut in the same way: by much, and then not again until they have grown to
 * the limit. Old results, inputs and answers are shortened first, then whole rounds are left out, oldest first; what
 * the thread needs of them is pinned.
 */
import type { ModelMessage, ToolResultPart, UserMessage } from '../models/model-port.ts';
import { excerpt } from './excerpt.ts';
import { limits } from './limits.ts';
import { historyTokens, messageTokens } from './message-size.ts';
import { doneTokens, pinnedHead, rulesChars } from './kept/pinned-head.ts';
import { shorten } from './shorten.ts';
import { wordsOf } from './kept/user-message.ts';

/** Messages up to `dropped` are left out, those up to `shortened` are short; `squeezed`: so are the newest, to these characters. */
export interface Cut {
	readonly dropped: number;
	readonly shortened: number;
	readonly squeezed: number | undefined;
}

export interface Selection {
	readonly messages: readonly ModelMessage[];
	readonly tokens: number;
	readonly cut: Cut;
}

/** Cut that leaves the conversation whole. */
export const WHOLE: Cut = { dropped: 0, shortened: 0, squeezed: undefined };

/**
 * Returns the part of a valid conversation that the model is shown. The result is valid as well, and within the budget
 * where that is possible.
 */
export function select(messages: readonly ModelMessage[], budgetTokens: number): Selection {
	const tokens = historyTokens(messages);
	if (tokens <= budgetTokens * limits.cutAt) {
		return { messages, tokens, cut: WHOLE };
	}
	let cut = WHOLE;
	let grown = 0;
	for (const [index, message] of messages.entries()) {
		const until = () => messages.slice(0, index + 1);
		grown += messageTokens(message);
		if (cut.squeezed !== undefined) {
			// The message that was squeezed because it was the newest is followed by another; squeezing ends.
			cut = { ...cut, squeezed: undefined };
			grown = sizeOf(until(), cut, budgetTokens);
		}
		// A request was made, or is made now, after each message that is not the model's.
		if (message.role !== 'assistant' && grown > budgetTokens * limits.cutAt) {
			cut = deeper(until(), cut, grown, budgetTokens);
			grown = sizeOf(until(), cut, budgetTokens);
		}
	}
	return shown(messages, cut, budgetTokens);
}

/** True when the model sees less than before: what it saw then is no longer whole. */
export function isDeeper(cut: Cut, than: Cut): boolean {
	return (
		cut.dropped > than.dropped ||
		cut.shortened > than.shortened ||
		(cut.squeezed ?? Infinity) < (than.squeezed ?? Infinity)
	);
}

/** A message that is not dropped, as a cut shows it. */
export function formAt(messages: readonly ModelMessage[], index: number, cut: Cut, budgetTokens: number): ModelMessage {
	const message = messages[index];
	if (message === undefined) {
		throw new RangeError(`there is no message ${index}`);
	}
	if (index < cut.shortened) {
		return shortened(message);
	}
	return cut.squeezed !== undefined && index >= newestRound(messages)
		? shorten(message, cut.squeezed, rulesChars(budgetTokens))
		: message;
}

/** Cut so that each keeps within its share of the window, and all together within theirs of the budget. */
export function cutResults(
	results: readonly ToolResultPart[],
	contextWindow: number,
	budgetTokens: number,
): ToolResultPart[] {
	const share = Math.min(
		contextWindow * limits.resultShare,
		(budgetTokens * limits.resultsShare) / Math.max(1, results.length),
	);
	const maxChars = Math.max(limits.leastResultChars, Math.floor(share * limits.charsPerToken));
	return results.map((result) => ({ ...result, text: excerpt(result.text, maxChars, result.readOn).text }));
}

/** A cut of messages that take `grown` tokens with the one before, with room to grow. */
function deeper(messages: readonly ModelMessage[], cut: Cut, grown: number, budgetTokens: number): Cut {
	const target = budgetTokens * limits.cutTo;
	const newest = newestRound(messages);
	let { dropped, shortened: until } = cut;
	let tokens = grown;
	for (; until < newest && tokens > target; until += 1) {
		tokens -= sizeAt(messages, until) - shortSizeAt(messages, until);
	}
	if (tokens > target) {
		// At its largest, so that it does not have to be made anew for each step.
		const head = headSize(messages, newest, budgetTokens);
		tokens += head - headSize(messages, dropped, budgetTokens);
		// A summary is dear: what leaves leaves room for long.
		const few = Math.max(budgetTokens * limits.leaveTo, head + budgetTokens * limits.leastKept);
		while (dropped < newest && tokens > few) {
			do {
				tokens -= shortSizeAt(messages, dropped);
				dropped += 1;
			} while (dropped < newest && messages[dropped]?.role === 'tool');
		}
	}
	const deep: Cut = { dropped, shortened: Math.max(until, dropped), squeezed: undefined };
	return squeezed(messages, deep, budgetTokens);
}

/** Only what is newest is left to cut. */
function squeezed(messages: readonly ModelMessage[], cut: Cut, budgetTokens: number): Cut {
	let tight = cut;
	for (const chars of limits.squeezedChars) {
		if (sizeOf(messages, tight, budgetTokens) <= budgetTokens) {
			break;
		}
		tight = { ...cut, squeezed: chars };
	}
	return tight;
}

/** `done`: what the head says was done; default: the list of it. */
function shown(messages: readonly ModelMessage[], cut: Cut, budgetTokens: number, done?: string): Selection {
	const kept = messages.slice(cut.dropped).map((_, index) => formAt(messages, index + cut.dropped, cut, budgetTokens));
	const selected = cut.dropped === 0 ? kept : withHead(messages.slice(0, cut.dropped), kept, budgetTokens, done);
	return { messages: selected, tokens: historyTokens(selected), cut };
}

function withHead(
	left: readonly ModelMessage[],
	kept: readonly ModelMessage[],
	budgetTokens: number,
	done: string | undefined,
): readonly ModelMessage[] {
	const [first, ...others] = kept;
	const head = pinnedHead(left, budgetTokens, first?.role !== 'user' || wordsOf(first) === '', done);
	// Nobody speaks twice in a row.
	return first?.role === 'user'
		? [{ role: 'user', text: `${head.text}\n\n${first.text}`, ...imagesOf(first) }, ...others]
		: [head, ...kept];
}

function imagesOf({ images }: UserMessage): Pick<UserMessage, 'images'> {
	return images === undefined ? {} : { images };
}

/** Where the last answer with its results begins, or the user's message that nobody has answered yet. */
function newestRound(messages: readonly ModelMessage[]): number {
	const isAnswered = messages.at(-1)?.role === 'tool' && messages.at(-2)?.role === 'assistant';
	return Math.max(0, messages.length - (isAnswered ? 2 : 1));
}

const shortForms = new WeakMap<ModelMessage, ModelMessage>();

/** Made once per message, so that its size is estimated once, too. */
function shortened(message: ModelMessage): ModelMessage {
	let short = shortForms.get(message);
	if (short === undefined) {
		short = shorten(message, limits.shortenedChars, Infinity);
		shortForms.set(message, short);
	}
	return short;
}

function sizeOf(messages: readonly ModelMessage[], cut: Cut, budgetTokens: number): number {
	const { tokens } = shown(messages, cut, budgetTokens, '');
	return cut.dropped === 0 ? tokens : tokens + doneTokens(budgetTokens);
}

function sizeAt(messages: readonly ModelMessage[], index: number): number {
	const message = messages[index];
	return message === undefined ? 0 : messageTokens(message);
}

function shortSizeAt(messages: readonly ModelMessage[], index: number): number {
	const message = messages[index];
	return message === undefined ? 0 : messageTokens(shortened(message));
}

function headSize(messages: readonly ModelMessage[], dropped: number, budgetTokens: number): number {
	if (dropped === 0) {
		return 0;
	}
	// The list of what was done is counted at its longest, so that it does not have to be made for each step.
	return messageTokens(pinnedHead(messages.slice(0, dropped), budgetTokens, true, '')) + doneTokens(budgetTokens);
}
