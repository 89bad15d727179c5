/**
 * Messages as the model reads them. The parts of a user's message, in their order: the user's words, what was attached
 * to them, the rules of the thread; rules also come behind the result of a call that touched what they are about. Where
 * a message is stored, and how many tokens it takes.
 */
import type { AgentSender, UserItem } from '../../protocol/thread/items.ts';
import type { ImageRef } from '../../protocol/ops/images.ts';
import { imagesIn, imageTokens } from '../models/images.ts';
import type { ModelMessage, ModelUserMessage, ToolResultPart } from '../models/model-port.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';

/** Returns the text that the user wrote; empty for a message of ours. */
export function readUserWords({ text, ownChars = text.length }: ModelUserMessage): string {
	return text.slice(0, ownChars);
}

/**
 * Returns the text that was added to the user's words, without the rules. For a message of ours that is all text
 * besides the rules.
 */
export function readAttachments({ text, ownChars = text.length, rulesChars = 0 }: ModelUserMessage): string {
	return text.slice(ownChars, text.length - rulesChars);
}

export function readThreadRules({ text, rulesChars = 0 }: ModelUserMessage | ToolResultPart): string {
	return text.slice(text.length - rulesChars);
}

/** Returns a message of the user, or of another agent, as the model reads it. */
export function sayWithSender({
	text,
	from,
}: Pick<UserItem, 'text'> & { readonly from?: AgentSender | undefined }): string {
	if (from === undefined) return text;
	return `Message from the agent ${JSON.stringify(from.name)} (${from.id}), not from the user:\n\n${text}`;
}

/** The opposite of the three above. Parts bring the space between them along. */
export function userMessage(
	words: string,
	attachments: string,
	rules: string,
	images: readonly ImageRef[] = [],
): ModelUserMessage {
	const text = words + attachments + rules;
	return {
		role: 'user',
		text,
		...(images.length === 0 ? {} : { images }),
		...(words === text ? {} : { ownChars: words.length }),
		...(rules === '' ? {} : { rulesChars: rules.length }),
	};
}

/** Two messages as one, because nobody may speak twice in a row. */
export function joinUserMessages(first: ModelUserMessage, second: ModelUserMessage): ModelUserMessage {
	const words = [readUserWords(first), readUserWords(second)].filter((each) => each !== '').join('\n\n');
	const attachments = [readAttachments(first), readAttachments(second)]
		.map((each) => each.trim())
		.filter((each) => each !== '')
		.map((each) => `\n\n${each}`)
		.join('');
	const images = [...(first.images ?? []), ...(second.images ?? [])];
	return userMessage(words, attachments, readThreadRules(first) + readThreadRules(second), images);
}

/** All rules of the thread that came with a message. */
export function collectMessageRules(message: ModelMessage): string {
	switch (message.role) {
		case 'user':
			return readThreadRules(message);
		case 'tool':
			return message.results.map(readThreadRules).join('');
		case 'assistant':
			return '';
	}
}

/** A result without the rules behind it. */
export function stripResultRules({ text, rulesChars = 0 }: ToolResultPart): string {
	return text.slice(0, text.length - rulesChars);
}

/** The same result with other text of its own, or other rules. */
export function resultWith(
	{ callId, tool, isError, images, readOn }: Omit<ToolResultPart, 'text' | 'rulesChars'>,
	own: string,
	rules: string,
): ToolResultPart {
	return {
		callId,
		tool,
		text: own + rules,
		isError,
		...(images === undefined ? {} : { images }),
		...(rules === '' ? {} : { rulesChars: rules.length }),
		...(readOn === undefined ? {} : { readOn }),
	};
}

const positions = new WeakMap<ModelMessage, number>();

/**
 * Notes where a message lies among those that are stored of its thread. A message that stands for several has the place
 * of the first.
 */
export function storedAt<M extends ModelMessage>(message: M, position: number | undefined): M {
	if (position !== undefined) {
		positions.set(message, position);
	}
	return message;
}

/** Undefined: it is not stored as it is. */
export function findStoredPosition(message: ModelMessage): number | undefined {
	return positions.get(message);
}

/** Tokens that a provider adds around each message. */
const FRAME_TOKENS = 16;

const tokensByMessage = new WeakMap<ModelMessage, number>();

/** Tokens that a message takes, estimated once: a message never changes. */
export function messageTokens(message: ModelMessage): number {
	let tokens = tokensByMessage.get(message);
	if (tokens === undefined) {
		tokens = estimateTokens(joinMessageText(message)) + imageTokens(imagesIn(message)) + FRAME_TOKENS;
		tokensByMessage.set(message, tokens);
	}
	return tokens;
}

export function historyTokens(messages: readonly ModelMessage[]): number {
	return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

function joinMessageText(message: ModelMessage): string {
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
