import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProwessError } from '../../protocol/errors.ts';
import { providerError, refusalError } from './provider-error.ts';
import { decideRetry, waitBeforeRetry, withRetry } from './retry.ts';

const overloaded = refusalError({ provider: 'p', status: 529, message: 'busy' });
const asking = (seconds: string) =>
	refusalError({ provider: 'p', status: 429, message: 'slow down', headers: { 'retry-after': seconds } });
const fresh = new AbortController().signal;

describe('decideRetry', () => {
	const cases: readonly (readonly [string, Parameters<typeof decideRetry>[0], ReturnType<typeof decideRetry>])[] = [
		[
			'an error that is not a provider’s',
			{ error: new Error('bug'), attempt: 1, hasOutput: false },
			{ retry: false, why: 'notRetryable' },
		],
		[
			'a missing key',
			{
				error: new ProwessError('KEY_MISSING', 'no key', { provider: 'p', retryable: false }),
				attempt: 1,
				hasOutput: false,
			},
			{ retry: false, why: 'notRetryable' },
		],
		[
			'a refused key',
			{ error: refusalError({ provider: 'p', status: 401, message: 'no' }), attempt: 1, hasOutput: false },
			{ retry: false, why: 'notRetryable' },
		],
		[
			'an empty account',
			{
				error: refusalError({ provider: 'p', status: 429, message: 'pay', body: 'insufficient_quota' }),
				attempt: 1,
				hasOutput: false,
			},
			{ retry: false, why: 'notRetryable' },
		],
		[
			'an answer that had begun',
			{ error: overloaded, attempt: 1, hasOutput: true },
			{ retry: false, why: 'hasOutput' },
		],
		['the fourth attempt', { error: overloaded, attempt: 4, hasOutput: false }, { retry: false, why: 'exhausted' }],
		[
			'an endpoint that wants 61 s',
			{ error: asking('61'), attempt: 1, hasOutput: false },
			{ retry: false, why: 'waitTooLong' },
		],
		['the first overload', { error: overloaded, attempt: 1, hasOutput: false }, { retry: true, waitMs: 1000 }],
		['the second', { error: overloaded, attempt: 2, hasOutput: false }, { retry: true, waitMs: 2000 }],
		['the third', { error: overloaded, attempt: 3, hasOutput: false }, { retry: true, waitMs: 4000 }],
		['an endpoint that wants 7 s', { error: asking('7'), attempt: 1, hasOutput: false }, { retry: true, waitMs: 7000 }],
		[
			'an endpoint that wants less than we wait anyway',
			{ error: asking('0'), attempt: 2, hasOutput: false },
			{ retry: true, waitMs: 2000 },
		],
		[
			'an unreachable endpoint',
			{
				error: providerError('PROVIDER_UNREACHABLE', 'gone', { provider: 'p', retryable: true }),
				attempt: 1,
				hasOutput: false,
			},
			{ retry: true, waitMs: 1000 },
		],
	];
	for (const [what, failed, expected] of cases) {
		it(`says ${JSON.stringify(expected)} to ${what}`, () => {
			assert.deepEqual(decideRetry(failed), expected);
		});
	}
});

describe('waitBeforeRetry', () => {
	it('ends at once with the reason of an abort', async () => {
		const stop = new AbortController();
		const reason = new Error('stopped');
		const begun = performance.now();
		const waiting = waitBeforeRetry(60_000, stop.signal);
		stop.abort(reason);
		await assert.rejects(waiting, reason);
		assert.ok(performance.now() - begun < 300);
	});
});

describe('withRetry', () => {
	/** Fails as scripted, then succeeds; notes what it waited. */
	async function run(failures: readonly Error[], output = false) {
		const waits: number[] = [];
		let attempts = 0;
		const result = await withRetry(
			async (onOutput) => {
				const failure = failures[attempts];
				attempts += 1;
				if (output) {
					onOutput();
				}
				if (failure !== undefined) {
					throw failure;
				}
				return 'answer';
			},
			{ wait: async (waitMs) => void waits.push(waitMs) },
			fresh,
		).catch((error: unknown) => error);
		return { result, waits, attempts };
	}

	it('makes four attempts at most and throws the last error', async () => {
		const last = asking('3');
		const { result, waits, attempts } = await run([overloaded, overloaded, overloaded, last]);
		assert.deepEqual([result, waits, attempts], [last, [1000, 2000, 4000], 4]);
	});

	it('does not repeat an answer that had begun', async () => {
		assert.deepEqual(await run([overloaded], true), { result: overloaded, waits: [], attempts: 1 });
	});

	it('gives up on what waiting does not mend', async () => {
		const refused = refusalError({ provider: 'p', status: 403, message: 'no' });
		assert.deepEqual(await run([refused]), { result: refused, waits: [], attempts: 1 });
	});

	it('returns the first answer that comes', async () => {
		assert.deepEqual(await run([overloaded, asking('5')]), { result: 'answer', waits: [1000, 5000], attempts: 3 });
	});

	it('tells of each wait before it begins', async () => {
		const told: unknown[] = [];
		let attempts = 0;
		await withRetry(
			async () => {
				attempts += 1;
				if (attempts === 1) {
					throw overloaded;
				}
			},
			{ onWait: ({ attempt, waitMs }) => told.push([attempt, waitMs]), wait: async () => void told.push('waited') },
			fresh,
		);
		assert.deepEqual(told, [[1, 1000], 'waited']);
	});

	it('makes no attempt after an abort', async () => {
		const reason = new Error('stopped');
		await assert.rejects(
			withRetry(() => Promise.reject(overloaded), {}, AbortSignal.abort(reason)),
			reason,
		);
	});
});
