/** A conversation as one text, for a model that is to say what was done in it: words whole, the rest shortened to fit. */
import type { ModelMessage } from '../models/model-port.ts';
import { excerpt } from './excerpt.ts';
import { limits } from './limits.ts';
import { attachmentsOf, ownText, wordsOf } from './kept/user-message.ts';

/** About `maxChars`; the rules of the thread are not in it. */
export function asText(messages: readonly ModelMessage[], maxChars: number): string {
	let text = '';
	for (const chars of limits.readChars) {
		text = messages.map((message) => partOf(message, chars)).join('\n\n');
		if (text.length <= maxChars) {
			return text;
		}
	}
	return excerpt(text, maxChars).text;
}

function partOf(message: ModelMessage, chars: number): string {
	switch (message.role) {
		case 'user': {
			const attached = excerpt(attachmentsOf(message), chars).text;
			return `User: ${wordsOf(message)}${attached === '' ? '' : `\n[added: ${attached.trim()}]`}`;
		}
		case 'assistant':
			return message.parts
				.flatMap((part) => {
					if (part.kind === 'toolCall') {
						return [`Agent calls ${part.tool}: ${excerpt(part.inputText, chars).text}`];
					}
					return part.kind === 'text' && part.text !== '' ? [`Agent: ${part.text}`] : [];
				})
				.join('\n');
		case 'tool':
			return message.results
				.map(
					(result) =>
						`${result.isError ? 'Failed' : 'Result'} of ${result.tool}: ${excerpt(ownText(result), chars).text}`,
				)
				.join('\n');
	}
}
