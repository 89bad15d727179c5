/**
 * The parts of a user's message, in their order: the user's words, what was attached to them, the rules of the thread. Rules
 * also come behind the result of a call that touched what they are about.
 */
import type { ImageRef } from '../../../protocol/ops/images.ts';
import type { ModelMessage, ToolResultPart, UserMessage } from '../../models/model-port.ts';

/** Returns the text that the user wrote; empty for a message of ours. */
export function wordsOf({ text, ownChars = text.length }: UserMessage): string {
	return text.slice(0, ownChars);
}

/**
 * Returns the text that was added to the user's words, without the rules. For a message of ours that is all text
 * besides the rules.
 */
export function attachmentsOf({ text, ownChars = text.length, rulesChars = 0 }: UserMessage): string {
	return text.slice(ownChars, text.length - rulesChars);
}

export function rulesOf({ text, rulesChars = 0 }: UserMessage | ToolResultPart): string {
	return text.slice(text.length - rulesChars);
}

/** The opposite of the three above. Parts bring the space between them along. */
export function userMessage(
	words: string,
	attachments: string,
	rules: string,
	images: readonly ImageRef[] = [],
): UserMessage {
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
export function joined(first: UserMessage, second: UserMessage): UserMessage {
	const words = [wordsOf(first), wordsOf(second)].filter((each) => each !== '').join('\n\n');
	const attachments = [attachmentsOf(first), attachmentsOf(second)]
		.map((each) => each.trim())
		.filter((each) => each !== '')
		.map((each) => `\n\n${each}`)
		.join('');
	const images = [...(first.images ?? []), ...(second.images ?? [])];
	return userMessage(words, attachments, rulesOf(first) + rulesOf(second), images);
}

/** All rules of the thread that came with a message. */
export function rulesIn(message: ModelMessage): string {
	switch (message.role) {
		case 'user':
			return rulesOf(message);
		case 'tool':
			return message.results.map(rulesOf).join('');
		case 'assistant':
			return '';
	}
}

/** A result without the rules behind it. */
export function ownText({ text, rulesChars = 0 }: ToolResultPart): string {
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
