import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ModelPort } from '../model-port.ts';
import { providerError, refusalError } from '../streams/provider-error.ts';
import { Breakers } from './breakers.ts';
import { waitBeforeRetry, WaitSkips, withFailover } from './failover.ts';
import { type ModelCandidate, ModelLine } from './model-line.ts';

const refusal = (status: number, headers: Record<string, string> = {}) =>
	refusalError({ provider: 'p', status, message: 'no', headers });
const busy = refusal(529);
const stalled = providerError('PROVIDER_UNREACHABLE', 'silent', { provider: 'p', retryable: true, stalled: true });
const cut = providerError('STREAM_CUT', 'cut', { provider: 'p', retryable: true });
const keyless = new ProwessError('KEY_MISSING', 'no key', { provider: 'p', retryable: false });
const fresh = new AbortController().signal;

function model(id: string): ModelPort {
	return { id, contextWindow: 1000, stream: () => assert.fail('nothing is streamed here') };
}

function candidate(id: string): ModelCandidate {
	return { id, open: () => Promise.resolve(model(id)) };
}

/** Plays one answer: `faults` are those of each model in turn; without one it answers. */
async function play(faults: Readonly<Record<string, readonly Error[]>>, hasOutput = false, retrySpread = 0) {
	const [chosen = '', ...others] = Object.keys(faults);
	const left = new Map(Object.entries(faults).map(([id, each]) => [id, [...each]]));
	const said: string[] = [];
	const line = new ModelLine(model(chosen), others.map(candidate), new Breakers(), retrySpread);
	const answered = withFailover(
		line,
		async ({ id }, onOutput) => {
			said.push(id);
			const fault = left.get(id)?.shift();
			if (fault !== undefined) {
				if (hasOutput) {
					onOutput();
				}
				throw fault;
			}
			return id;
		},
		{
			onWait: ({ waitMs }) => said.push(`wait ${waitMs}`),
			onNext: ({ failed, next }) => said.push(`${failed.id} to ${next.id}`),
			onUnusable: (error) => said.push(String((error as Error).message)),
			wait: () => Promise.resolve(),
		},
		fresh,
	);
	return { said, outcome: await answered.catch((error: unknown) => error), current: line.current.id };
}

describe('failover', () => {
	it('waits 1, 2 and 4 s for a provider that may recover, or as long as it asks', async () => {
		const { said, outcome } = await play({ a: [busy, refusal(429, { 'retry-after': '7' }), busy] });
		assert.deepEqual([said, outcome], [['a', 'wait 1000', 'a', 'wait 7000', 'a', 'wait 4000', 'a'], 'a']);
	});

	it('waits longer or shorter by chance, within the spread, and never less than it is asked to', async () => {
		const faults = [busy, refusal(429, { 'retry-after': '7' }), busy];
		const waits = (await Promise.all(Array.from({ length: 200 }, () => play({ a: faults }, false, 20)))).map(
			({ said }) => said.filter((each) => each.startsWith('wait ')).map((each) => Number(each.slice('wait '.length))),
		);
		for (const [at, least, most] of [
			[0, 800, 1_200],
			[1, 7_000, 7_000],
			[2, 3_200, 4_800],
		] as const) {
			const all = waits.map((each) => each[at] ?? Number.NaN);
			assert.ok(
				all.every((each) => each >= least && each <= most),
				String(all),
			);
			assert.ok(least === most || new Set(all).size > 20);
		}
	});

	it('ends a wait where the user would rather have the next model, and goes on waiting where there is none', async () => {
		for (const [others, expected] of [
			[['b'], ['a', 'wait for b', 'a to b', 'b']],
			[[], ['a', 'wait for nobody', 'a']],
		] as const) {
			const skips = new WaitSkips();
			const said: string[] = [];
			skips.skip();
			const line = new ModelLine(model('a'), others.map(candidate), new Breakers());
			await withFailover(
				line,
				({ id }) => {
					said.push(id);
					return said.length === 1 ? Promise.reject(busy) : Promise.resolve(id);
				},
				{
					skips,
					onWait: ({ next = 'nobody' }) => {
						said.push(`wait for ${next}`);
						setImmediate(() => skips.skip());
					},
					onNext: ({ failed, next }) => said.push(`${failed.id} to ${next.id}`),
				},
				fresh,
			);
			assert.deepEqual(said, expected);
		}
	});

	it('gives up after three retries with the last error, where nobody takes over', async () => {
		const { said, outcome } = await play({ a: [busy, busy, busy, busy] });
		assert.deepEqual([said.filter((each) => each === 'a').length, outcome], [4, busy]);
	});

	it('goes to the next model after three retries, and to the one after that', async () => {
		const { said, outcome, current } = await play({ a: [busy, busy, busy, busy], b: [refusal(402)], c: [] });
		assert.deepEqual(said.slice(-4), ['a to b', 'b', 'b to c', 'c']);
		assert.deepEqual([outcome, current], ['c', 'c']);
	});

	const own: readonly (readonly [string, Error])[] = [
		['a refused key', refusal(401)],
		['an account without credit', refusal(402)],
		['a model that is missing', refusal(404)],
		['no key', keyless],
		['an endpoint that wants more than a minute', refusal(429, { 'retry-after': '61' })],
		['an endpoint that said nothing', stalled],
		['a page in the place of an answer', providerError('STREAM_MALFORMED', 'no', { provider: 'p', retryable: false })],
		['an address that is somewhere else now', refusal(302)],
		['an endpoint without this interface', refusal(501)],
		['a name that does not exist', providerError('PROVIDER_UNREACHABLE', 'no', { provider: 'p', retryable: false })],
	];
	for (const [what, error] of own) {
		it(`goes to the next model at once: ${what}`, async () => {
			assert.deepEqual((await play({ a: [error], b: [] })).said, ['a', 'a to b', 'b']);
		});
	}

	const ofRequest: readonly (readonly [string, Error])[] = [
		['a request that is wrong', refusal(400)],
		['a conversation that is too long', refusal(413)],
		['a bug of ours', new TypeError('bug')],
	];
	for (const [what, error] of ofRequest) {
		it(`asks nobody else: ${what}`, async () => {
			const { said, outcome } = await play({ a: [error], b: [] });
			assert.deepEqual([said, outcome], [['a'], error]);
		});
	}

	it('asks nobody else once a part of the answer was shown', async () => {
		const { said, outcome } = await play({ a: [cut], b: [] }, true);
		assert.deepEqual([said, outcome], [['a'], cut]);
	});

	it('asks one that said nothing again, where there is no other', async () => {
		assert.deepEqual((await play({ a: [stalled] })).said, ['a', 'wait 1000', 'a']);
	});

	it('passes over a model that cannot be used, and ends with the error that was there before', async () => {
		const said: string[] = [];
		const unusable: ModelCandidate = { id: 'x/y', open: () => Promise.reject(new Error('no provider "x"')) };
		const line = new ModelLine(model('a'), [unusable], new Breakers());
		const asked = withFailover(
			line,
			() => Promise.reject(refusal(402)),
			{ onUnusable: (error) => said.push((error as Error).message) },
			fresh,
		);
		await assert.rejects(asked, { code: 'PROVIDER_BILLING' });
		assert.deepEqual(said, ['no provider "x"']);
	});

	it('asks each model of a list once, also where the list names the chosen one or one twice', async () => {
		const line = new ModelLine(model('a/m'), ['a/m', 'b/m', 'b/m'].map(candidate), new Breakers());
		assert.equal(line.left, 1);
	});

	it('leaves the providers that have just failed often for last', async () => {
		const breakers = new Breakers();
		for (let n = 0; n < 3; n += 1) {
			breakers.failed('b');
		}
		const line = new ModelLine(model('a/m'), ['b/m', 'c/m'].map(candidate), breakers);
		assert.equal((await line.takeOver(fresh))?.id, 'c/m');
		assert.equal((await line.takeOver(fresh))?.id, 'b/m');
		assert.equal(await line.takeOver(fresh), undefined);
	});

	it('asks the model that the wait named, also when its provider is on trial again', async () => {
		let now = 0;
		const breakers = new Breakers(undefined, undefined, () => now);
		for (let n = 0; n < 3; n += 1) {
			breakers.failed('b');
		}
		now = 60_000;
		const skips = new WaitSkips();
		const said: string[] = [];
		const line = new ModelLine(model('a/m'), ['b/m', 'c/m'].map(candidate), breakers);
		await withFailover(
			line,
			({ id }) => (id === 'a/m' ? Promise.reject(busy) : Promise.resolve(id)),
			{
				skips,
				onWait: ({ next = 'nobody' }) => {
					said.push(`wait for ${next}`);
					setImmediate(() => skips.skip());
				},
				onNext: ({ next }) => said.push(next.id),
			},
			fresh,
		);
		assert.deepEqual(said, ['wait for b/m', 'b/m']);
	});

	it('keeps a chosen model that is passed over as the last of its line', async () => {
		const breakers = new Breakers();
		for (let n = 0; n < 3; n += 1) {
			breakers.failed('a');
		}
		const line = new ModelLine(model('a/m'), [candidate('b/m')], breakers);
		await line.passOver(fresh);
		assert.equal(line.current.id, 'b/m');
		assert.equal((await line.takeOver(fresh))?.id, 'a/m');
	});

	it('asks a chosen model that failed often where no other can be used', async () => {
		const breakers = new Breakers();
		for (let n = 0; n < 3; n += 1) {
			breakers.failed('a');
		}
		const unusable: ModelCandidate = { id: 'x/y', open: () => Promise.reject(new Error('no provider "x"')) };
		const line = new ModelLine(model('a/m'), [unusable], breakers);
		await line.passOver(fresh);
		assert.deepEqual([line.current.id, line.left], ['a/m', 1]);
	});

	it('ends at once when the user stops during a wait, with the reason', async () => {
		const stop = new AbortController();
		const reason = new Error('stopped');
		const line = new ModelLine(model('a'), [candidate('b')], new Breakers());
		const asked = withFailover(
			line,
			() => Promise.reject(busy),
			{ onWait: () => setImmediate(() => stop.abort(reason)) },
			stop.signal,
		);
		await assert.rejects(asked, reason);
	});

	it('waits for nothing when the signal is aborted already', async () => {
		const reason = new Error('stopped');
		await assert.rejects(waitBeforeRetry(60_000, AbortSignal.abort(reason)), reason);
	});
});
