/** A conversation as one text, for a model that is to say what was done in it: words whole, the rest shortened to fit. */
import type { ModelMessage } from '../models/model-port.ts';
import { createExcerpt } from './excerpt.ts';
import { historyLimits } from './limits.ts';
import { readAttachments, stripResultRules, readUserWords } from './messages.ts';

/** About `maxChars`; the rules of the thread are not in it. */
export function formatConversation(messages: readonly ModelMessage[], maxChars: number): string {
	let text = '';
	for (const chars of historyLimits.readChars) {
		text = messages.map((message) => formatModelMessage(message, chars)).join('\n\n');
		if (text.length <= maxChars) {
			return text;
		}
	}
	return createExcerpt(text, maxChars).text;
}

function formatModelMessage(message: ModelMessage, chars: number): string {
	switch (message.role) {
		case 'user': {
			const attached = createExcerpt(readAttachments(message), chars).text;
			return `User: ${readUserWords(message)}${attached === '' ? '' : `\n[added: ${attached.trim()}]`}`;
		}
		case 'assistant':
			return message.parts
				.flatMap((part) => {
					if (part.kind === 'toolCall') {
						return [`Agent calls ${part.tool}: ${createExcerpt(part.inputText, chars).text}`];
					}
					return part.kind === 'text' && part.text !== '' ? [`Agent: ${part.text}`] : [];
				})
				.join('\n');
		case 'tool':
			return message.results
				.map(
					(result) =>
						`${result.isError ? 'Failed' : 'Result'} of ${result.tool}: ${createExcerpt(stripResultRules(result), chars).text}`,
				)
				.join('\n');
	}
}
