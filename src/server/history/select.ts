/**
 * The one place that cuts a conversation for the model. The cut is computed from the beginning of the conversation as
 * it grew, so the same messages are always cut in the same way: by much, and then not again until they have grown to
 * the limit. Old results, inputs and answers are shortened first, then whole rounds are left out, oldest first; what
 * the thread needs of them is pinned.
 */
import type { ModelMessage, ToolResultPart, ModelUserMessage } from '../models/model-port.ts';
import { createExcerpt } from './excerpt.ts';
import { historyLimits } from './limits.ts';
import { doneTokens, pinnedHead, rulesChars } from './pinned-head.ts';
import { shortenMessage } from './shorten.ts';
import { historyTokens, messageTokens, readUserWords } from './messages.ts';

/** Messages up to `dropped` are left out, those up to `resolveShortForm` are short; `squeezeNewest`: so are the newest, to these characters. */
export interface HistoryCut {
	readonly dropped: number;
	readonly shortened: number;
	readonly squeezed: number | undefined;
}

export interface Selection {
	readonly messages: readonly ModelMessage[];
	readonly tokens: number;
	readonly cut: HistoryCut;
}

/** Cut that leaves the conversation whole. */
export const UNCUT_HISTORY: HistoryCut = { dropped: 0, shortened: 0, squeezed: undefined };

/**
 * Returns the part of a valid conversation that the model is shown. The result is valid as well, and within the budget
 * where that is possible.
 */
export function selectHistory(messages: readonly ModelMessage[], budgetTokens: number): Selection {
	const tokens = historyTokens(messages);
	if (tokens <= budgetTokens * historyLimits.cutAt) {
		return { messages, tokens, cut: UNCUT_HISTORY };
	}
	let cut = UNCUT_HISTORY;
	let grown = 0;
	for (const [index, message] of messages.entries()) {
		const listMessagesSoFar = () => messages.slice(0, index + 1);
		grown += messageTokens(message);
		if (cut.squeezed !== undefined) {
			// The message that was squeezed because it was the newest is followed by another; squeezing ends.
			cut = { ...cut, squeezed: undefined };
			grown = countCutTokens(listMessagesSoFar(), cut, budgetTokens);
		}
		// A request was made, or is made now, after each message that is not the model's.
		if (message.role !== 'assistant' && grown > budgetTokens * historyLimits.cutAt) {
			cut = deepenCut(listMessagesSoFar(), cut, grown, budgetTokens);
			grown = countCutTokens(listMessagesSoFar(), cut, budgetTokens);
		}
	}
	return applyHistoryCut(messages, cut, budgetTokens);
}

/** True when the model sees less than before: what it saw then is no longer whole. */
export function isDeeper(cut: HistoryCut, than: HistoryCut): boolean {
	return (
		cut.dropped > than.dropped ||
		cut.shortened > than.shortened ||
		(cut.squeezed ?? Infinity) < (than.squeezed ?? Infinity)
	);
}

/** A message that is not dropped, as a cut shows it. */
export function formAt(
	messages: readonly ModelMessage[],
	index: number,
	cut: HistoryCut,
	budgetTokens: number,
): ModelMessage {
	const message = messages[index];
	if (message === undefined) {
		throw new RangeError(`there is no message ${index}`);
	}
	if (index < cut.shortened) {
		return resolveShortForm(message);
	}
	return cut.squeezed !== undefined && index >= newestRound(messages)
		? shortenMessage(message, cut.squeezed, rulesChars(budgetTokens))
		: message;
}

/** Cut so that each keeps within its share of the window, and all together within theirs of the budget. */
export function cutResults(
	results: readonly ToolResultPart[],
	contextWindow: number,
	budgetTokens: number,
): ToolResultPart[] {
	const share = Math.min(
		contextWindow * historyLimits.resultShare,
		(budgetTokens * historyLimits.resultsShare) / Math.max(1, results.length),
	);
	const maxChars = Math.max(historyLimits.leastResultChars, Math.floor(share * historyLimits.charsPerToken));
	return results.map((result) => ({ ...result, text: createExcerpt(result.text, maxChars, result.readOn).text }));
}

/** A cut of messages that take `grown` tokens with the one before, with room to grow. */
function deepenCut(
	messages: readonly ModelMessage[],
	cut: HistoryCut,
	grown: number,
	budgetTokens: number,
): HistoryCut {
	const target = budgetTokens * historyLimits.cutTo;
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
		const few = Math.max(budgetTokens * historyLimits.leaveTo, head + budgetTokens * historyLimits.leastKept);
		while (dropped < newest && tokens > few) {
			do {
				tokens -= shortSizeAt(messages, dropped);
				dropped += 1;
			} while (dropped < newest && messages[dropped]?.role === 'tool');
		}
	}
	const deep: HistoryCut = { dropped, shortened: Math.max(until, dropped), squeezed: undefined };
	return squeezeNewest(messages, deep, budgetTokens);
}

/** Only what is newest is left to cut. */
function squeezeNewest(messages: readonly ModelMessage[], cut: HistoryCut, budgetTokens: number): HistoryCut {
	let tight = cut;
	for (const chars of historyLimits.squeezedChars) {
		if (countCutTokens(messages, tight, budgetTokens) <= budgetTokens) {
			break;
		}
		tight = { ...cut, squeezed: chars };
	}
	return tight;
}

/** `done`: what the head says was done; default: the list of it. */
function applyHistoryCut(
	messages: readonly ModelMessage[],
	cut: HistoryCut,
	budgetTokens: number,
	done?: string,
): Selection {
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
	const head = pinnedHead(left, budgetTokens, first?.role !== 'user' || readUserWords(first) === '', done);
	// Nobody speaks twice in a row.
	return first?.role === 'user'
		? [{ role: 'user', text: `${head.text}\n\n${first.text}`, ...pickUserImages(first) }, ...others]
		: [head, ...kept];
}

function pickUserImages({ images }: ModelUserMessage): Pick<ModelUserMessage, 'images'> {
	return images === undefined ? {} : { images };
}

/** Where the last answer with its results begins, or the user's message that nobody has answered yet. */
function newestRound(messages: readonly ModelMessage[]): number {
	const isAnswered = messages.at(-1)?.role === 'tool' && messages.at(-2)?.role === 'assistant';
	return Math.max(0, messages.length - (isAnswered ? 2 : 1));
}

const shortForms = new WeakMap<ModelMessage, ModelMessage>();

/** Made once per message, so that its size is estimated once, too. */
function resolveShortForm(message: ModelMessage): ModelMessage {
	let short = shortForms.get(message);
	if (short === undefined) {
		short = shortenMessage(message, historyLimits.shortenedChars, Infinity);
		shortForms.set(message, short);
	}
	return short;
}

function countCutTokens(messages: readonly ModelMessage[], cut: HistoryCut, budgetTokens: number): number {
	const { tokens } = applyHistoryCut(messages, cut, budgetTokens, '');
	return cut.dropped === 0 ? tokens : tokens + doneTokens(budgetTokens);
}

function sizeAt(messages: readonly ModelMessage[], index: number): number {
	const message = messages[index];
	return message === undefined ? 0 : messageTokens(message);
}

function shortSizeAt(messages: readonly ModelMessage[], index: number): number {
	const message = messages[index];
	return message === undefined ? 0 : messageTokens(resolveShortForm(message));
}

function headSize(messages: readonly ModelMessage[], dropped: number, budgetTokens: number): number {
	if (dropped === 0) {
		return 0;
	}
	// The list of what was done is counted at its longest, so that it does not have to be made for each step.
	return messageTokens(pinnedHead(messages.slice(0, dropped), budgetTokens, true, '')) + doneTokens(budgetTokens);
}
