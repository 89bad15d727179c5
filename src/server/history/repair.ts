/**
 * A conversation every provider accepts: it begins with the user, each tool call has exactly one result right after it,
 * no result is without its call, nobody speaks twice in a row, nothing is empty. Order and content stay otherwise.
 */
import type {
	AssistantPart,
	ModelMessage,
	ModelUserMessage,
	ToolCallPart,
	ToolResultPart,
} from '../models/model-port.ts';
import { findStoredPosition, joinUserMessages, storedAt } from './messages.ts';

export const NO_RESULT =
	'No result: the call was interrupted. It may or may not have had an effect; check before you repeat it.';

export function repairHistory(messages: readonly ModelMessage[]): ModelMessage[] {
	const valid: ModelMessage[] = [];
	for (const [index, message] of messages.entries()) {
		switch (message.role) {
			case 'user':
				addUser(valid, message);
				break;
			case 'assistant':
				addAssistant(valid, message.parts, findStoredPosition(message));
				addResults(valid, messages[index + 1]);
				break;
			case 'tool':
			// Taken with the calls it answers; alone it answers nothing.
		}
	}
	return valid;
}

export function toolCalls(parts: readonly AssistantPart[]): ToolCallPart[] {
	return parts.filter((part) => part.kind === 'toolCall');
}

function addUser(valid: ModelMessage[], message: ModelUserMessage): void {
	const last = valid.at(-1);
	if (message.text.trim() === '') {
		return;
	}
	if (last?.role === 'user') {
		valid[valid.length - 1] = storedAt(joinUserMessages(last, message), findStoredPosition(last));
	} else {
		valid.push(message);
	}
}

function addAssistant(valid: ModelMessage[], parts: readonly AssistantPart[], position: number | undefined): void {
	const seen = new Set<string>();
	const kept = parts.filter((part) => {
		if (part.kind !== 'toolCall') {
			return part.text !== '' || part.metadata !== undefined;
		}
		const isFirst = !seen.has(part.callId);
		seen.add(part.callId);
		return isFirst;
	});
	// A thought alone is no answer: providers refuse a message of nothing else.
	const last = valid.at(-1);
	if (
		last === undefined ||
		!kept.some((part) => part.kind === 'toolCall' || (part.kind === 'text' && part.text !== ''))
	) {
		return;
	}
	if (last.role === 'assistant') {
		valid[valid.length - 1] = storedAt(
			{ role: 'assistant', parts: [...last.parts, ...kept] },
			findStoredPosition(last),
		);
	} else {
		valid.push(storedAt({ role: 'assistant', parts: kept }, position));
	}
}

/** Adds exactly one result for each call of the last message, in the order of the calls. */
function addResults(valid: ModelMessage[], next: ModelMessage | undefined): void {
	const last = valid.at(-1);
	const calls = last?.role === 'assistant' ? toolCalls(last.parts) : [];
	if (calls.length === 0) {
		return;
	}
	const given = next?.role === 'tool' ? next.results : [];
	const results = calls.map(({ callId, tool }): ToolResultPart => {
		const own = given.find((result) => result.callId === callId);
		// Named as its call is: some providers compare the names.
		return own === undefined ? { callId, tool, text: NO_RESULT, isError: true } : { ...own, tool };
	});
	valid.push({ role: 'tool', results });
}
