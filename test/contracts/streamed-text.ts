/** An answer of nothing but text, as each vendor streams it. */
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import { events } from './raw-endpoint.ts';

export const streamedText: Readonly<Record<ProviderKind, (text: string) => string>> = {
	'openai-compatible': (text) =>
		events({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }, '[DONE]'),
	anthropic: (text) =>
		events(
			{ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
			{ type: 'message_stop' },
		),
	openai: (text) =>
		events(
			{ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } },
			{ type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: text },
			{ type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm' } },
			{ type: 'response.completed', response: { status: 'completed', usage: { input_tokens: 3, output_tokens: 5 } } },
		),
	google: (text) => events({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] }),
};
