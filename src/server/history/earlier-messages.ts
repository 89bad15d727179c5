/**
 * Earlier messages that a turn begins with, whatever the window of its model: without silent turns, without details that
 * are denied, and at most as many as the limits say. Rules of the thread stay in each case.
 */
import type { AssistantPart, ModelMessage, ToolResultPart } from '../models/model-port.ts';
import { historyLimits } from './limits.ts';
import {
	collectMessageRules,
	findStoredPosition,
	messageTokens,
	readThreadRules,
	readUserWords,
	resultWith,
	storedAt,
	userMessage,
} from './messages.ts';

interface EarlierLimits {
	/** Messages and tokens at most; absent: all. */
	readonly earlierMessages?: number | undefined;
	readonly earlierTokens?: number | undefined;
}

/** Stands in the history in place of an answer that was to be none (S2-23). */
export const SILENT_MARK = '[no reply needed]';

/** Stands in the place of a denied detail. */
const BLANKED = '[not shown: details of earlier messages are denied here]';

/**
 * Leaves out silent turns but for the latest (S2-22). Takes them in steps, so that the beginning of the requests stays
 * the same for long. A silent message that came with rules of the thread stays.
 */
export function withoutSilentTurns(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const silent = messages.flatMap((message, index) => (isSilentTurn(message, messages[index + 1]) ? [index] : []));
	const step = historyLimits.keptSilentTurns;
	const leaving = new Set(silent.slice(0, Math.max(0, Math.floor(silent.length / step) - 1) * step));
	return leaving.size === 0 ? messages : messages.filter((_, index) => !leaving.has(index) && !leaving.has(index - 1));
}

function isSilentTurn(message: ModelMessage, answer: ModelMessage | undefined): boolean {
	return (
		message.role === 'user' &&
		readThreadRules(message) === '' &&
		answer?.role === 'assistant' &&
		answer.parts.length === 1 &&
		answer.parts.every((part) => part.kind === 'text' && part.text === SILENT_MARK)
	);
}

/** Blanks all but the words of the user and the agent, and the rules of the thread (S1-06). */
export function withoutDetails(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	return messages.map((message) => storedAt(blankDetails(message), findStoredPosition(message)));
}

function blankDetails(message: ModelMessage): ModelMessage {
	switch (message.role) {
		case 'user': {
			const words = readUserWords(message);
			const rules = readThreadRules(message);
			const isWhole = message.text.length === words.length + rules.length && message.images === undefined;
			return isWhole ? message : userMessage(words, `\n\n${BLANKED}`, rules);
		}
		case 'assistant':
			return { role: 'assistant', parts: message.parts.flatMap(blankPart) };
		case 'tool':
			return { role: 'tool', results: message.results.map(blankResult) };
	}
}

function blankPart(part: AssistantPart): readonly AssistantPart[] {
	switch (part.kind) {
		case 'text':
			return [{ kind: 'text', text: part.text }];
		case 'toolCall':
			return [{ kind: 'toolCall', callId: part.callId, tool: part.tool, inputText: '{}' }];
		case 'thinking':
			return [];
	}
}

function blankResult({ callId, tool, isError, ...result }: ToolResultPart): ToolResultPart {
	return resultWith({ callId, tool, isError }, BLANKED, readThreadRules({ callId, tool, isError, ...result }));
}

/**
 * Walks from the newest message and stops at the first one that would exceed a limit (S1-03, S1-05, S2-20). A result is
 * never kept without its call. Rules of the messages that are left out go before the others.
 */
export function limitEarlier(
	messages: readonly ModelMessage[],
	{ earlierMessages = Infinity, earlierTokens = Infinity }: EarlierLimits,
): readonly ModelMessage[] {
	let from = messages.length;
	let tokens = 0;
	for (const message of messages.toReversed()) {
		tokens += messageTokens(message);
		if (messages.length - from >= earlierMessages || tokens > earlierTokens) break;
		from -= 1;
	}
	// A beginning is never an answer or a result: it has lost what it answers.
	while (from > 0 && from < messages.length && messages[from]?.role !== 'user') from += 1;
	if (from === 0) {
		return messages;
	}
	const rules = messages.slice(0, from).map(collectMessageRules).join('');
	const [first, ...others] = messages.slice(from);
	if (rules === '' || first?.role !== 'user') {
		return rules === '' ? messages.slice(from) : [userMessage('', '', rules)];
	}
	const { text, ownChars = text.length, rulesChars = 0, images } = first;
	const added = text.slice(ownChars, text.length - rulesChars);
	const joined = userMessage(readUserWords(first), added, rules + readThreadRules(first), images);
	return [storedAt(joined, findStoredPosition(first)), ...others];
}
