/** Estimates the number of tokens that messages take. */
import { imagesIn, imageTokens } from '../models/images.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';

/** Tokens that a provider adds around each message. */
const FRAME_TOKENS = 16;

const tokensByMessage = new WeakMap<ModelMessage, number>();

/** Estimated once per message: a message never changes. */
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
