/** Checks every provider against an endpoint that refuses, is cut, stalls or talks nonsense. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { streamLimits } from '../../src/server/models/limits.ts';
import { isProviderError } from '../../src/server/models/streams/provider-error.ts';
import { ask, callsOf, partsOf, textOf } from './model-contract.ts';
import { failure, providerRig, vendors } from './provider-rig.ts';

for (const vendor of vendors) {
	describe(`a failing endpoint of the ${vendor.kind} provider`, () => {
		const rig = providerRig(vendor);

		const refusals = [
			[401, 'PROVIDER_AUTH', false],
			[403, 'PROVIDER_AUTH', false],
			[404, 'MODEL_NOT_FOUND', false],
			[408, 'PROVIDER_OVERLOADED', true],
			[413, 'CONTEXT_OVERFLOW', false],
			[422, 'PROVIDER_ERROR', false],
			[429, 'PROVIDER_RATE_LIMITED', true],
			[500, 'PROVIDER_OVERLOADED', true],
			[503, 'PROVIDER_OVERLOADED', true],
			[529, 'PROVIDER_OVERLOADED', true],
		] as const;
		for (const [status, code, retryable] of refusals) {
			it(`calls ${status} ${code}${retryable ? ', to be tried again' : ''}`, async () => {
				rig.proxy.fault({ kind: 'status', status, message: 'no luck' });
				const { error, parts } = await failure(rig.open(), 'text');
				const missing = status === 404 ? { model: vendor.modelId } : {};
				assert.deepEqual(
					[error.code, error.facts, parts],
					[code, { provider: 'acme', status, said: 'no luck', retryable, ...missing }, []],
				);
				assert.equal(error.message, `provider "acme" answered ${status}: no luck`);
				assert.equal(rig.proxy.requests.length, 1);
			});
		}

		it('knows a context overflow by its words', async () => {
			rig.proxy.fault({ kind: 'status', status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' });
			assert.equal((await failure(rig.open(), 'text')).error.code, 'CONTEXT_OVERFLOW');
		});

		it('passes on how long to wait', async () => {
			const { error } = await failure(rig.open(), 'too fast');
			assert.deepEqual([error.code, error.facts['retryAfterMs']], ['PROVIDER_RATE_LIMITED', 7000]);
		});

		it('shows the key in no error', async () => {
			const { error } = await failure(rig.open(), 'who');
			assert.equal(error.message, 'provider "acme" answered 401: no access with [key]');
			assert.equal(error.cause, undefined);
		});

		it('sends nothing without a key where one is needed', async () => {
			const model = rig.open(streamLimits, null);
			if (vendor.kind === 'openai-compatible') {
				assert.equal(textOf(await partsOf(model, ask('text'))), 'Hello there, world');
				assert.equal(rig.proxy.requests[0]?.headers.authorization, undefined);
				return;
			}
			assert.equal((await failure(model, 'text')).error.code, 'KEY_MISSING');
			assert.equal(rig.proxy.requests.length, 0);
		});

		it('says where nobody answers', async () => {
			const model = rig.open();
			await rig.proxy.close();
			const { error } = await failure(model, 'text');
			assert.deepEqual([error.code, error.facts], ['PROVIDER_UNREACHABLE', { provider: 'acme', retryable: true }]);
			assert.match(error.message, /^provider "acme" cannot be reached at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
		});

		it('keeps what came before the connection was cut', async () => {
			rig.proxy.fault({ kind: 'cut', after: vendor.preamble + 3 });
			const { parts, error } = await failure(rig.open(), 'text');
			assert.equal(error.code, 'STREAM_CUT');
			assert.ok(isProviderError(error) && error.facts.retryable);
			assert.ok(textOf(parts).length > 0 && 'Hello there, world'.startsWith(textOf(parts)));
		});

		it('takes an answer that ends early for cut', async () => {
			rig.proxy.fault({ kind: 'end', after: vendor.preamble + 3 });
			const { parts, error } = await failure(rig.open(), 'text');
			assert.equal(error.code, 'STREAM_CUT');
			assert.ok('Hello there, world'.startsWith(textOf(parts)));
		});

		it('gives on no call that was cut off', async () => {
			rig.proxy.fault({ kind: 'cut', after: Math.min(vendor.preamble + 4, 6) });
			const { parts } = await failure(rig.open(), 'call');
			for (const { inputText } of callsOf(parts)) {
				assert.deepEqual(JSON.parse(inputText), { path: 'a.ts' });
			}
		});

		it('names what is no event of a stream', async () => {
			rig.proxy.fault({ kind: 'garbage', after: vendor.preamble + 3 });
			const { parts, error } = await failure(rig.open(), 'text');
			assert.equal(error.code, 'STREAM_MALFORMED');
			assert.ok(textOf(parts).length > 0);
		});

		it('names a web page in the place of an answer', async () => {
			rig.proxy.fault({ kind: 'page' });
			const { error } = await failure(rig.open(), 'text');
			assert.equal(error.code, 'STREAM_MALFORMED');
			assert.match(error.message, /a web page/);
		});

		it('follows no redirect', async () => {
			rig.proxy.fault({ kind: 'redirect', to: `${rig.mock.url}${vendor.path}/elsewhere` });
			const { error } = await failure(rig.open(), 'text');
			assert.equal(error.code, 'PROVIDER_ERROR');
			assert.match(error.message, /redirects to/);
			assert.equal(rig.mock.getRequests().length, 0);
		});

		it('gives up an endpoint that accepts and says nothing', async () => {
			rig.proxy.fault({ kind: 'stall', after: 0 });
			const { error } = await failure(rig.open({ firstByteMs: 60, idleMs: 5_000, keepAliveMs: 0 }), 'text');
			assert.equal(error.code, 'PROVIDER_UNREACHABLE');
			await rig.proxy.closed();
		});

		it('gives up an answer that stops coming', async () => {
			rig.proxy.fault({ kind: 'stall', after: vendor.preamble + 3 });
			const { parts, error } = await failure(rig.open({ firstByteMs: 5_000, idleMs: 250, keepAliveMs: 0 }), 'text');
			assert.equal(error.code, 'STREAM_CUT');
			assert.ok(textOf(parts).length > 0);
			await rig.proxy.closed();
		});

		it('lets keep-alives prolong an answer, but not for ever', async () => {
			rig.proxy.fault({ kind: 'stall', after: vendor.preamble + 3, keepAliveMs: 20 });
			const begun = performance.now();
			// The shorter one is fifty keep-alives long: a machine that stands still for some of them does not end the answer.
			const { error } = await failure(rig.open({ firstByteMs: 30_000, idleMs: 1_000, keepAliveMs: 1_500 }), 'text');
			assert.equal(error.code, 'STREAM_CUT');
			assert.ok(performance.now() - begun >= 1_400);
		});

		it('knows an overload that is said in the middle of a stream', async () => {
			rig.proxy.fault({
				kind: 'rewrite',
				with: (stream) =>
					stream
						.split(/(?<=\r?\n\r?\n)/)
						.slice(0, vendor.preamble + 3)
						.join('') + vendor.overloaded,
			});
			const { parts, error } = await failure(rig.open(), 'text');
			assert.equal(error.code, 'PROVIDER_OVERLOADED');
			assert.ok(textOf(parts).length > 0);
		});
	});
}
