/** Messages that are replaced for good: in the thread as it is stored, the model is shown a head in their place. */
import type { ModelMessage } from '../models/model-port.ts';
import { pinnedHead, SEEN } from './kept/pinned-head.ts';
import { findStoredPosition } from './stored-position.ts';
import { readUserWords } from './kept/user-message.ts';

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
