/** A ModelRequest in the editor's two roles. */
import type { LmMessage } from '../../protocol/models.ts';
import { type ImageData, imagesIn, sentImages } from './images.ts';
import type { ModelMessage, ModelRequest } from './model-port.ts';

type LmParts = LmMessage['parts'];

export function toLmMessages(request: ModelRequest, imageData: ImageData): LmMessage[] {
	const messages: LmMessage[] = [];
	if (request.system !== '') {
		messages.push({ role: 'user', parts: [{ kind: 'text', text: request.system }] });
	}
	for (const message of request.messages) {
		const parts = toLmParts(message, imageData);
		if (parts.length > 0) {
			messages.push({ role: message.role === 'assistant' ? 'assistant' : 'user', parts });
		}
	}
	return messages;
}

function toLmParts(message: ModelMessage, imageData: ImageData): LmParts {
	const images = sentImages(imagesIn(message), imageData).map((image) => ({ kind: 'image' as const, ...image }));
	switch (message.role) {
		case 'user':
			return [{ kind: 'text', text: message.text }, ...images];
		case 'tool':
			return [...message.results.map(({ callId, text }) => ({ kind: 'toolResult' as const, callId, text })), ...images];
		case 'assistant':
			return message.parts.flatMap((part): LmParts => {
				switch (part.kind) {
					case 'text':
						return part.text === '' ? [] : [{ kind: 'text', text: part.text }];
					case 'thinking':
						return [];
					case 'toolCall':
						return [
							{ kind: 'toolCall', callId: part.callId, name: part.tool, input: parseEditorInput(part.inputText) },
						];
				}
			});
	}
}

/** The editor takes objects only. */
function parseEditorInput(inputText: string): unknown {
	try {
		const input: unknown = JSON.parse(inputText);
		return typeof input === 'object' && input !== null ? input : { unreadable_input: inputText };
	} catch {
		return inputText.trim() === '' ? {} : { unreadable_input: inputText };
	}
}
