/**
 * Lists for the user the pieces that a deeper cut shortens: the calls and messages they belong to, and how much is left
 * of each.
 */
import type { ItemId } from '../../protocol/rpc/ids.ts';
import type { Shortened, ShortenedPart } from '../../protocol/thread/shortened.ts';
import type { AssistantPart, ModelMessage, ToolCallPart } from '../models/model-port.ts';
import { callTitle, truncateToLine } from './digest.ts';
import { historyLimits } from './limits.ts';
import { type HistoryCut, formAt } from './select.ts';
import { findStoredPosition, readAttachments, readUserWords, stripResultRules } from './messages.ts';

/** Finds the item of a call by the place of the message that makes it. */
type FindItem = (position: number, callId: string) => ItemId | undefined;
type CallTitles = ReadonlyMap<string, string>;
type ShortenedPiece = Omit<ShortenedPart, 'itemId'> & { readonly callId?: string };

/** Undefined: nothing was shortened, messages were only left out. */
export function shortenedParts(
	messages: readonly ModelMessage[],
	cut: HistoryCut,
	than: HistoryCut,
	budgetTokens: number,
	itemOf: FindItem,
): Shortened | undefined {
	const parts: ShortenedPart[] = [];
	let calls: CallTitles = new Map();
	let position: number | undefined;
	for (const [index, whole] of messages.entries()) {
		if (whole.role === 'assistant') {
			calls = new Map(whole.parts.filter(isCall).map((call) => [call.callId, callTitle(call)]));
			position = findStoredPosition(whole);
		}
		// Earlier messages were short already, or are left out.
		if (index < Math.max(cut.dropped, than.shortened)) {
			continue;
		}
		for (const { callId, ...piece } of listShortenedPieces(whole, formAt(messages, index, cut, budgetTokens), calls)) {
			const itemId = callId === undefined || position === undefined ? undefined : itemOf(position, callId);
			parts.push({ ...piece, ...(itemId === undefined ? {} : { itemId }) });
		}
	}
	return parts.length === 0 ? undefined : summarizeShortened(parts);
}

function summarizeShortened(parts: readonly ShortenedPart[]): Shortened {
	const counts = { result: 0, input: 0, answer: 0, attachment: 0 };
	let before = 0;
	let after = 0;
	for (const part of parts) {
		counts[part.kind] += 1;
		before += part.before;
		after += part.after;
	}
	const most = new Set(
		parts.toSorted((one, other) => countLostChars(other) - countLostChars(one)).slice(0, historyLimits.toldParts),
	);
	return { parts: parts.filter((part) => most.has(part)), counts, before, after };
}

function countLostChars({ before, after }: ShortenedPart): number {
	return before - after;
}

/**
 * Returns the pieces of a message that are shorter in its short form. `calls`: titles of the calls that the message
 * answers.
 */
function listShortenedPieces(whole: ModelMessage, short: ModelMessage, calls: CallTitles): ShortenedPiece[] {
	return pairMessagePieces(whole, short, calls).filter(({ before, after }) => after < before);
}

function pairMessagePieces(whole: ModelMessage, short: ModelMessage, calls: CallTitles): ShortenedPiece[] {
	if (whole.role === 'tool' && short.role === 'tool') {
		return whole.results.map((result, index) => ({
			kind: 'result',
			title: calls.get(result.callId) ?? result.tool,
			callId: result.callId,
			...measureShortening(stripResultRules(result), stripResultRules(short.results[index] ?? result)),
		}));
	}
	if (whole.role === 'assistant' && short.role === 'assistant') {
		return whole.parts.flatMap((part, index): ShortenedPiece[] => {
			const left = short.parts[index];
			if (part.kind === 'toolCall' && left?.kind === 'toolCall') {
				const { callId, inputText } = part;
				return [{ kind: 'input', title: callTitle(part), callId, ...measureShortening(inputText, left.inputText) }];
			}
			return part.kind === 'text' && left?.kind === 'text'
				? [
						{
							kind: 'answer',
							title: truncateToLine(part.text, historyLimits.askedChars),
							...measureShortening(part.text, left.text),
						},
					]
				: [];
		});
	}
	return whole.role === 'user' && short.role === 'user'
		? [
				{
					kind: 'attachment',
					title: truncateToLine(readUserWords(whole), historyLimits.askedChars),
					...measureShortening(readAttachments(whole), readAttachments(short)),
				},
			]
		: [];
}

function measureShortening(whole: string, short: string): Pick<ShortenedPiece, 'before' | 'after'> {
	return { before: whole.length, after: short.length };
}

function isCall(part: AssistantPart): part is ToolCallPart {
	return part.kind === 'toolCall';
}
