/**
 * The short form of a message, without pictures. Valid as the message was: same calls, same results, inputs that are still
 * JSON.
 */
import { leftOutImages } from '../models/images.ts';
import type { AssistantPart, ModelMessage, ModelUserMessage } from '../models/model-port.ts';
import { createExcerpt } from './excerpt.ts';
import {
	readAttachments,
	stripResultRules,
	resultWith,
	readThreadRules,
	userMessage,
	readUserWords,
} from './messages.ts';

const NO_ROOM = 'the conversation has grown too long for it; read it again where it is a file';

/**
 * Shortens each text of a message to `chars`, and the thread's rules in it to `rulesChars`. The user's own words stay
 * whole.
 */
export function shortenMessage(message: ModelMessage, chars: number, rulesChars: number): ModelMessage {
	switch (message.role) {
		case 'user':
			return shortenAttachments(message, chars, rulesChars);
		case 'assistant':
			return { role: 'assistant', parts: message.parts.map((part) => shortenPart(part, chars)) };
		case 'tool':
			return {
				role: 'tool',
				results: message.results.map(({ images, ...result }) => {
					const own =
						createExcerpt(stripResultRules(result), chars, result.readOn).text + leftOutImages(images, NO_ROOM);
					return resultWith(result, own, createExcerpt(readThreadRules(result), rulesChars).text);
				}),
			};
	}
}

function shortenAttachments(message: ModelUserMessage, chars: number, rulesChars: number): ModelUserMessage {
	const attachments = createExcerpt(readAttachments(message), chars);
	const rules = createExcerpt(readThreadRules(message), rulesChars);
	return attachments.omitted + rules.omitted === 0 && message.images === undefined
		? message
		: userMessage(readUserWords(message), attachments.text + leftOutImages(message.images, NO_ROOM), rules.text);
}

/** A part that its provider has signed goes back as it came; only what a call was given is ours to shorten. */
function shortenPart(part: AssistantPart, chars: number): AssistantPart {
	if (part.kind === 'toolCall') {
		return part.inputText.length <= chars ? part : { ...part, inputText: shortenInput(part.inputText, chars) };
	}
	return part.metadata === undefined ? { ...part, text: createExcerpt(part.text, chars).text } : part;
}

function shortenInput(inputText: string, chars: number): string {
	try {
		return JSON.stringify(shortenStrings(JSON.parse(inputText), chars));
	} catch {
		// No JSON: the model was told so by the call's result.
		return createExcerpt(inputText, chars).text;
	}
}

function shortenStrings(value: unknown, chars: number): unknown {
	if (typeof value === 'string') {
		return createExcerpt(value, chars).text;
	}
	if (Array.isArray(value)) {
		return value.map((each) => shortenStrings(each, chars));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortenStrings(each, chars)]))
		: value;
}
