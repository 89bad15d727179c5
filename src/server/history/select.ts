/** Makes a valid conversation small enough: whole turns go first, the oldest before the newer, then old results are cut. */
import { estimateTokens } from '../models/token-estimate.ts';
import type { ModelMessage, ToolResultPart } from '../models/model-port.ts';
import { limits } from './limits.ts';
import { excerpt } from './excerpt.ts';

/** Tokens that system prompt and tools take; what they really take is in the first request test. */
const FIXED_TOKENS = 2_000;

const tokensOf = new WeakMap<ModelMessage, number>();

/** Estimated once per message: a message never changes. */
export function messageTokens(message: ModelMessage): number {
	let tokens = tokensOf.get(message);
	if (tokens === undefined) {
		tokens = estimateTokens(wordsOf(message)) + 16;
		tokensOf.set(message, tokens);
	}
	return tokens;
}

export function historyTokens(messages: readonly ModelMessage[]): number {
	return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

/** The newest whole turns that fit into `tokens`; at least the last turn, whatever its size. A turn begins with the user. */
export function keepNewestTurns(messages: readonly ModelMessage[], tokens: number): ModelMessage[] {
	let start = messages.length;
	let used = 0;
	for (let index = messages.length - 1; index >= 0; index -= 1) {
		const message = messages[index];
		if (message === undefined) {
			continue;
		}
		used += messageTokens(message);
		if (used > tokens && start < messages.length) {
			break;
		}
		if (message.role === 'user') {
			start = index;
		}
	}
	return messages.slice(start === messages.length ? 0 : start);
}

/** Cuts the oldest tool results until the whole fits into `tokens`; unchanged messages stay the same objects. */
export function shortenResults(messages: readonly ModelMessage[], tokens: number): ModelMessage[] {
	let over = historyTokens(messages) - tokens;
	return messages.map((message) => {
		if (over <= 0 || message.role !== 'tool') {
			return message;
		}
		const shorter: ModelMessage = {
			role: 'tool',
			results: message.results.map((result) => ({
				...result,
				text: excerpt(result.text, limits.leastResultChars).text,
			})),
		};
		over -= messageTokens(message) - messageTokens(shorter);
		return shorter;
	});
}

/** Cut so that each keeps within its share of the window and all together within what is left of it. */
export function cutResults(
	results: readonly ToolResultPart[],
	contextWindow: number,
	leftTokens: number,
): ToolResultPart[] {
	const share = Math.min(contextWindow * limits.resultShare, leftTokens / Math.max(1, results.length));
	const maxChars = Math.max(limits.leastResultChars, Math.floor(share * limits.charsPerToken));
	return results.map((result) => ({ ...result, text: excerpt(result.text, maxChars).text }));
}

/** What is left of a window for messages. */
export function messageBudget(contextWindow: number): number {
	const reserve = Math.min(limits.answerReserveTokens, contextWindow / 4);
	return Math.floor(Math.max(contextWindow - reserve - FIXED_TOKENS, contextWindow / 4));
}

function wordsOf(message: ModelMessage): string {
	switch (message.role) {
		case 'user':
			return message.text;
		case 'assistant':
			return message.parts
				.map((part) => (part.kind === 'toolCall' ? part.tool + part.inputText : part.text))
				.join('\n');
		case 'tool':
			return message.results.map((result) => result.text).join('\n');
	}
}
