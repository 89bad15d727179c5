/**
 * Checks every provider against an endpoint that answers: parts, usage, and the content that goes back with the next
 * request.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isProwessError } from '../../src/protocol/errors/errors.ts';
import type { ModelMessage, ModelPart } from '../../src/server/models/model-port.ts';
import { ask, assistantOf, callsOf, modelContract, partsOf, textOf } from './model-contract.ts';
import { KEY, providerRig, vendors } from './provider-rig.ts';

for (const vendor of vendors) {
	describe(`the ${vendor.kind} provider`, () => {
		const rig = providerRig(vendor);

		describe('as any model', () => {
			modelContract(() =>
				Promise.resolve({
					model: rig.open(),
					prepare(prompt) {
						if (prompt === 'stall') {
							rig.proxy.fault({ kind: 'stall', after: vendor.preamble + 2 });
						}
					},
					ended: () => rig.proxy.closed(),
					requestCount: () => rig.proxy.requests.length,
					close: () => Promise.resolve(),
				}),
			);
		});
		it('reads the same when every byte comes alone', async () => {
			const whole = await partsOf(rig.open(), ask('parallel'));
			rig.proxy.fault({ kind: 'bytes' });
			const split = await partsOf(rig.open(), ask('parallel'));
			const shape = (parts: ModelPart[]) => [
				textOf(parts),
				callsOf(parts).map(({ tool, inputText }) => [tool, inputText]),
			];
			assert.deepEqual(shape(split), shape(whole));
		});

		it('reports the usage the endpoint reports', async () => {
			const finish = (await partsOf(rig.open(), ask('text'))).at(-1);
			assert.deepEqual(finish?.kind === 'finish' && finish.usage, {
				inputTokens: 40,
				outputTokens: 9,
				cachedInputTokens: 0,
				estimated: false,
			});
		});

		for (const value of ['null', '-3', '1e300', '0']) {
			it(`estimates when the endpoint reports ${value} tokens`, async () => {
				rig.proxy.fault({
					kind: 'rewrite',
					with: (stream) => stream.replace(/("(?:input_tokens|prompt_tokens|promptTokenCount)"):\d+/g, `$1:${value}`),
				});
				const outcome = await partsOf(rig.open(), ask('text')).catch((error: unknown) => error);
				if (isProwessError(outcome)) {
					assert.equal(outcome.code, 'STREAM_MALFORMED');
					return;
				}
				const finish = (outcome as ModelPart[]).at(-1);
				assert.ok(finish?.kind === 'finish' && finish.usage.estimated && finish.usage.inputTokens > 0);
			});
		}

		it('thinks beside its text', async () => {
			const parts = await partsOf(rig.open(), ask('thinking'));
			const thinking = parts.map((part) => (part.kind === 'thinkingDelta' ? part.text : '')).join('');
			assert.deepEqual([thinking, textOf(parts)], ['I think so.', 'Hello there, world']);
		});

		it('sends its thinking back as it was signed', async () => {
			const answer = assistantOf(await partsOf(rig.open(), ask('thinking')));
			await partsOf(rig.open(), ask('text', { role: 'user', text: 'thinking' }, answer));
			const sent = rig.proxy.requests.at(-1)?.text ?? '';
			if (vendor.signature !== undefined) {
				assert.match(sent, vendor.signature);
			}
		});

		it('keeps the thinking of other vendors at home, and takes their ids', async () => {
			const foreign: ModelMessage[] = [
				{ role: 'user', text: 'before' },
				{
					role: 'assistant',
					parts: [
						{ kind: 'thinking', text: 'secret thoughts', metadata: { elsewhere: { signature: 'x' } } },
						{
							kind: 'toolCall',
							callId: 'weird id:1',
							tool: 'fs_read',
							inputText: '{"path":',
							metadata: { elsewhere: {} },
						},
					],
				},
				{ role: 'tool', results: [{ callId: 'weird id:1', tool: 'fs_read', text: 'no JSON', isError: true }] },
			];
			assert.equal(textOf(await partsOf(rig.open(), ask('text', ...foreign))), 'Hello there, world');
			const sent = rig.proxy.requests.at(-1)?.text ?? '';
			assert.doesNotMatch(sent, /secret thoughts|elsewhere|weird id/);
			assert.match(sent, /unreadable_input/);
		});

		it('sends the same bytes for the same history, and only adds to them', async () => {
			const first = await partsOf(rig.open(), ask('parallel'));
			const results = callsOf(first).map(({ callId, tool }) => ({ callId, tool, text: 'ok', isError: false }));
			const history: ModelMessage[] = [
				{ role: 'user', text: 'parallel' },
				assistantOf(first),
				{ role: 'tool', results },
			];
			await partsOf(rig.open(), ask('text', ...history));
			await partsOf(rig.open(), ask('text', ...history));
			await partsOf(rig.open(), ask('text', ...history, { role: 'user', text: 'more' }));
			const [one, two, three] = rig.proxy.requests.slice(-3).map(({ text }) => text);
			assert.equal(one, two);
			const items = (text = '{}') => {
				const body = JSON.parse(text) as Record<string, unknown[]>;
				const { messages, input, contents, ...rest } = body;
				return {
					list: (messages ?? input ?? contents ?? []).map((item) => JSON.stringify(item)),
					rest: JSON.stringify(rest),
				};
			};
			const [before, after] = [items(one), items(three)];
			assert.equal(before.rest, after.rest);
			assert.deepEqual(after.list.slice(0, before.list.length - 1), before.list.slice(0, -1));
		});

		if (vendor.kind === 'openai' || vendor.kind === 'openai-compatible') {
			it('gives on input that is no JSON as it was written', async () => {
				rig.proxy.fault({ kind: 'rewrite', with: (stream) => stream.replaceAll('.ts\\"}', '.ts') });
				const calls = callsOf(await partsOf(rig.open(), ask('call')));
				assert.equal(calls.length, 1);
				assert.throws(() => JSON.parse(calls[0]?.inputText ?? '{}'));
			});
		}
		if (vendor.kind === 'google') {
			it('sends the signature of a call back with it', async () => {
				rig.proxy.fault({
					kind: 'rewrite',
					with: (stream) => stream.replaceAll('{"functionCall":', '{"thoughtSignature":"sig-g","functionCall":'),
				});
				const answer = assistantOf(await partsOf(rig.open(), ask('call')));
				const [call] = answer.role === 'assistant' ? answer.parts : [];
				assert.ok(call?.kind === 'toolCall');
				const results = [{ callId: call.callId, tool: call.tool, text: 'ok', isError: false }];
				await partsOf(rig.open(), ask('text', { role: 'user', text: 'call' }, answer, { role: 'tool', results }));
				assert.match(rig.proxy.requests.at(-1)?.text ?? '', /"thoughtSignature":"sig-g"/);
			});
		}

		if (vendor.kind === 'anthropic') {
			it('marks the system prompt and the request for the cache, and no message', async () => {
				await partsOf(rig.open(), ask('text'));
				const [sent] = rig.proxy.requests;
				const body = JSON.parse(sent?.text ?? '{}') as Record<string, unknown>;
				const mark = { type: 'ephemeral' };
				assert.deepEqual(body['cache_control'], mark);
				assert.deepEqual(body['system'], [{ type: 'text', text: 'You are helpful.', cache_control: mark }]);
				assert.doesNotMatch(JSON.stringify([body['messages'], body['tools']]), /cache_control/);
				assert.equal(sent?.headers['x-api-key'], KEY);
			});
		}
	});
}
