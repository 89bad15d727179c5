/** Checks that each dialect tells which model has answered, before the first words and only where it is another one. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import { ask, partsOf } from './model-contract.ts';
import { events, type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';

const answers: Readonly<Record<ProviderKind, (model: string) => string>> = {
	'openai-compatible': (model) =>
		events(
			{ model, choices: [{ delta: { content: 'Hi' } }] },
			{ model, choices: [{ finish_reason: 'stop' }] },
			'[DONE]',
		),
	openai: (model) =>
		events(
			{ type: 'response.created', response: { model } },
			{ type: 'response.output_text.delta', item_id: 'm', delta: 'Hi' },
			{ type: 'response.completed', response: { model } },
		),
	anthropic: (model) =>
		events(
			{ type: 'message_start', message: { model, usage: { input_tokens: 3, output_tokens: 1 } } },
			{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
			{ type: 'message_stop' },
		),
	google: (modelVersion) =>
		events({ modelVersion, candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }),
};

for (const [kind, answer] of Object.entries(answers)) {
	describe(`the model that answers in the dialect of ${kind}`, () => {
		let endpoint: RawEndpoint;
		beforeEach(async () => {
			endpoint = await startRawEndpoint();
		});
		afterEach(() => endpoint.close());

		const kindsOf = async (by: string) => {
			endpoint.answers = [{ chunks: [answer(by)] }];
			const parts = await partsOf(endpoint.model(kind as ProviderKind, 'model-5'), ask('x'));
			return parts.map((part) => (part.kind === 'served' ? part.served : part.kind));
		};

		it('is told before the first words where it is another one', async () => {
			const [first, second] = await kindsOf('model-5-mini');
			assert.deepEqual([first, second], [{ asked: 'model-5', by: 'model-5-mini' }, 'textDelta']);
		});

		it('is not told where it is the one that was asked', async () => {
			assert.equal((await kindsOf('model-5-2026-08-07'))[0], 'textDelta');
		});
	});
}
