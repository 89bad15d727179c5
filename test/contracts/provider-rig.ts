/** The vendors, a mock of each, and a proxy that can spoil what the mock answers. */
import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach } from 'mocha';
import { isProwessError, type ProwessError } from '../../src/protocol/errors/errors.ts';
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import { type StreamLimits, streamLimits } from '../../src/server/models/limits.ts';
import type { ModelPart, ModelPort } from '../../src/server/models/model-port.ts';
import { providerModel } from '../../src/server/models/provider-model.ts';
import { Refusals } from '../../src/server/models/streams/refusals.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { ask, never } from './model-contract.ts';

interface Vendor {
	readonly kind: ProviderKind;
	readonly modelId: string;
	readonly path: string;
	/** Usage in this vendor's field names, for the mock. */
	readonly usage: Record<string, number>;
	/** Pattern of the part of an answer's thinking that has to come back with the next request. */
	readonly signature?: RegExp;
	/** Events at the start of its stream that carry no text. */
	readonly preamble: number;
	/** Message with which the vendor says, in the middle of a stream, that it is overloaded. */
	readonly overloaded: string;
}

export const vendors: readonly Vendor[] = [
	{
		kind: 'anthropic',
		modelId: 'claude-sonnet-4-5',
		path: '/v1',
		usage: { input_tokens: 40, output_tokens: 9 },
		signature: /"type":"thinking","thinking":"I think so\.","signature":"sig-1"/,
		preamble: 2,
		overloaded: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
	},
	{
		kind: 'openai',
		modelId: 'gpt-5',
		path: '/v1',
		usage: { input_tokens: 40, output_tokens: 9 },
		signature:
			/"type":"reasoning","id":"rs[^"]+","encrypted_content":"[^"]+","summary":\[\{"type":"summary_text","text":"I think so\."/,
		preamble: 9,
		overloaded:
			'data: {"type":"error","sequence_number":99,"error":{"type":"server_error","code":"server_is_busy","message":"busy","param":null}}\n\n',
	},
	{
		kind: 'google',
		modelId: 'gemini-2.5-pro',
		path: '/v1beta',
		usage: { promptTokenCount: 40, candidatesTokenCount: 9 },
		preamble: 0,
		overloaded: 'data: {"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}\n\n',
	},
	{
		kind: 'openai-compatible',
		modelId: 'qwen3',
		path: '/v1',
		usage: { prompt_tokens: 40, completion_tokens: 9 },
		signature: /"reasoning_content":"I think so\."/,
		preamble: 1,
		overloaded: 'data: {"error":{"message":"busy","code":503}}\n\n',
	},
];

export const KEY = 'key-canary-0123456789';

const a = { name: 'fs_read', arguments: '{"path":"a.ts"}' };
const b = { name: 'fs_read', arguments: '{"path":"b.ts"}' };

async function startMock({ usage }: Vendor): Promise<LLMock> {
	const mock = new LLMock({ port: 0, chunkSize: 5 });
	mock.on(
		{ userMessage: 'thinking' },
		{ content: 'Hello there, world', reasoning: 'I think so.', reasoningSignature: 'sig-1', usage },
	);
	mock.on({ userMessage: 'unpaid' }, { content: 'Hello there, world', usage: {} });
	mock.on({ userMessage: 'text' }, { content: 'Hello there, world', usage });
	mock.on({ userMessage: 'stall' }, { content: 'Hello there, world' });
	mock.on({ userMessage: 'parallel' }, { content: 'Look:', toolCalls: [a, b], usage });
	mock.on({ userMessage: 'call' }, { toolCalls: [a], usage });
	mock.on({ userMessage: 'empty' }, { content: '' });
	mock.on(
		{ userMessage: 'too fast' },
		{ error: { message: 'slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 7 },
	);
	mock.on(
		{ userMessage: 'who' },
		{ error: { message: `no access with ${KEY}`, type: 'authentication_error' }, status: 401 },
	);
	await mock.start();
	return mock;
}

/** Returns the parts that came before the failure, and the error itself. */
export async function failure(model: ModelPort, prompt: string): Promise<{ parts: ModelPart[]; error: ProwessError }> {
	const parts: ModelPart[] = [];
	try {
		for await (const part of model.stream(ask(prompt), never())) {
			parts.push(part);
		}
	} catch (error) {
		assert.ok(isProwessError(error), String(error));
		return { parts, error };
	}
	assert.fail('the stream did not fail');
}

interface ProviderRig {
	/** Mock vendor of the running test; the same goes for the proxy. */
	readonly mock: LLMock;
	readonly proxy: FaultProxy;
	open(limits?: StreamLimits, key?: string | null): ModelPort;
}

/** Registers the hooks that start and end mock and proxy for each test of the suite. */
export function providerRig(vendor: Vendor): ProviderRig {
	let mock: LLMock;
	let proxy: FaultProxy;
	beforeEach(async () => {
		mock = await startMock(vendor);
		proxy = await startFaultProxy(mock.url);
	});
	afterEach(async () => {
		await proxy.close();
		await mock.stop();
	});
	return {
		get mock() {
			return mock;
		},
		get proxy() {
			return proxy;
		},
		open: (limits = streamLimits, key = KEY) =>
			providerModel({
				refusals: new Refusals(),
				imageData: () => undefined,
				config: { id: 'acme', kind: vendor.kind, baseUrl: `${proxy.url}${vendor.path}`, models: [] },
				modelId: vendor.modelId,
				contextWindow: () => 1000,
				getKey: () => Promise.resolve(key),
				limits,
			}),
	};
}
