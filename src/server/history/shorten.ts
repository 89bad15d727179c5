/**
 * The short form of a message, without pictures. Valid as the message was: same calls, same results, inputs that are still
 * JSON.
 */
import { leftOutImages } from '../models/images.ts';
import type { AssistantPart, ModelMessage, UserMessage } from '../models/model-port.ts';
import { excerpt } from './excerpt.ts';
import { attachmentsOf, ownText, resultWith, rulesOf, userMessage, wordsOf } from './kept/user-message.ts';

const NO_ROOM = 'the conversation has grown too long for it; read it again where it is a file';

/**
 * Shortens each text of a message to `chars`, and the thread's rules in it to `rulesChars`. The user's own words stay
 * whole.
 */
export function shorten(message: ModelMessage, chars: number, rulesChars: number): ModelMessage {
	switch (message.role) {
		case 'user':
			return shortenAttachments(message, chars, rulesChars);
		case 'assistant':
			return { role: 'assistant', parts: message.parts.map((part) => shortenPart(part, chars)) };
		case 'tool':
			return {
				role: 'tool',
				results: message.results.map(({ images, ...result }) => {
					const own = excerpt(ownText(result), chars, result.readOn).text + leftOutImages(images, NO_ROOM);
					return resultWith(result, own, excerpt(rulesOf(result), rulesChars).text);
				}),
			};
	}
}

function shortenAttachments(message: UserMessage, chars: number, rulesChars: number): UserMessage {
	const attachments = excerpt(attachmentsOf(message), chars);
	const rules = excerpt(rulesOf(message), rulesChars);
	return attachments.omitted + rules.omitted === 0 && message.images === undefined
		? message
		: userMessage(wordsOf(message), attachments.text + leftOutImages(message.images, NO_ROOM), rules.text);
}

/** A part that its provider has signed goes back as it came; only what a call was given is ours to shorten. */
function shortenPart(part: AssistantPart, chars: number): AssistantPart {
	if (part.kind === 'toolCall') {
		return part.inputText.length <= chars ? part : { ...part, inputText: shortenInput(part.inputText, chars) };
	}
	return part.metadata === undefined ? { ...part, text: excerpt(part.text, chars).text } : part;
}

function shortenInput(inputText: string, chars: number): string {
	try {
		return JSON.stringify(shortenStrings(JSON.parse(inputText), chars));
	} catch {
		// No JSON: the model was told so by the call's result.
		return excerpt(inputText, chars).text;
	}
}

function shortenStrings(value: unknown, chars: number): unknown {
	if (typeof value === 'string') {
		return excerpt(value, chars).text;
	}
	if (Array.isArray(value)) {
		return value.map((each) => shortenStrings(each, chars));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortenStrings(each, chars)]))
		: value;
}
