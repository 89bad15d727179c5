/** Answers of other models, and answers that were cut, as each vendor takes them back. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import type { AssistantPart, ModelMessage } from '../../src/server/models/model-port.ts';
import { listOrEmpty, objectOrEmpty } from '../../src/server/models/providers/loose-json.ts';
import { ask, partsOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { streamedText } from './streamed-text.ts';

const question: ModelMessage = { role: 'user', text: 'What is in a.ts?' };
const call: AssistantPart = { kind: 'toolCall', callId: 'call_0', tool: 'fs_read', inputText: '{}' };
const answered: ModelMessage = {
	role: 'tool',
	results: [{ callId: 'call_0', tool: 'fs_read', text: 'It says so.', isError: false }],
};

describe('A request after answers of other models', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	async function sent(kind: ProviderKind, modelId: string, member: string, ...history: readonly ModelMessage[]) {
		endpoint.answers = [{ chunks: [streamedText[kind]('Done.')] }];
		await partsOf(endpoint.model(kind, modelId), ask('Go on.', question, ...history));
		return listOrEmpty(endpoint.requests[0]?.[member]).map(objectOrEmpty);
	}

	it('holds no text of nothing but space for Anthropic, and no message of nothing else', async () => {
		const blank: AssistantPart = { kind: 'text', text: '\n\n' };
		const calling: ModelMessage = { role: 'assistant', parts: [blank, call] };
		const messages = await sent('anthropic', 'claude-sonnet-4-5', 'messages', calling, answered, {
			role: 'assistant',
			parts: [blank],
		});
		assert.deepEqual(
			messages.map(({ role, content }) => [role, ...listOrEmpty(content).map((block) => objectOrEmpty(block)['type'])]),
			[
				['user', 'text'],
				['assistant', 'tool_use'],
				['user', 'tool_result', 'text'],
			],
		);
	});

	it('ends no answer with reasoning for OpenAI, and keeps what led to something', async () => {
		const metadata = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAA' } };
		const thought: AssistantPart = { kind: 'thinking', text: 'I think so.', metadata };
		const cut: AssistantPart = {
			kind: 'thinking',
			text: '',
			metadata: { openai: { ...metadata.openai, itemId: 'rs_2' } },
		};
		const parts: readonly AssistantPart[] = [thought, { kind: 'text', text: 'Yes.' }, cut];
		const input = await sent('openai', 'gpt-5', 'input', { role: 'assistant', parts });
		assert.deepEqual(
			input.map(({ role, id }) => role ?? id),
			['developer', 'user', 'rs_1', 'assistant', 'user'],
		);
	});

	it('has pictures of results and the words behind them in one message where roles have to alternate', async () => {
		const id = newId('img');
		endpoint.images.set(id, 'VVNS');
		const images = [{ id, type: 'image/png', bytes: 3, width: 2, height: 2 }] as const;
		const results = answered.role === 'tool' ? answered.results.map((result) => ({ ...result, images })) : [];
		const calling: ModelMessage = { role: 'assistant', parts: [call] };
		const messages = await sent('openai-compatible', 'qwen3', 'messages', calling, { role: 'tool', results });
		assert.deepEqual(
			messages.map(({ role }) => role),
			['system', 'user', 'assistant', 'tool', 'user'],
		);
		assert.deepEqual(
			listOrEmpty(messages.at(-1)?.['content']).map((part) => objectOrEmpty(part)['type']),
			['text', 'image_url', 'text'],
		);
	});

	it('names each call once for every vendor, where an endpoint counts the calls of each answer anew', async () => {
		const calling: ModelMessage = { role: 'assistant', parts: [call] };
		const messages = await sent('openai-compatible', 'qwen3', 'messages', calling, answered, calling, answered);
		assert.deepEqual(
			messages.flatMap((message) => message['tool_call_id'] ?? []),
			['call_0', 'call_0_2'],
		);
	});
});
