import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KeptValue } from './kept-value.ts';

const { signal } = new AbortController();

function kept(patienceMs: number) {
	const made: PromiseWithResolvers<string>[] = [];
	let time = 0;
	const value = new KeptValue<string>({
		make: () => {
			const next = Promise.withResolvers<string>();
			made.push(next);
			return next.promise;
		},
		freshMs: 10,
		patienceMs,
		now: () => time,
	});
	return { value, made, pass: (ms: number) => (time += ms) };
}

describe('KeptValue', () => {
	it('makes the first once for all who ask, and gives it while it is fresh', async () => {
		const { value, made, pass } = kept(60_000);
		const both = Promise.all([value.get(signal), value.get(signal)]);
		made[0]?.resolve('first');
		assert.deepEqual(await both, ['first', 'first']);
		pass(10);
		assert.equal(await value.get(signal), 'first');
		assert.equal(made.length, 1);
	});

	it('makes one anew, and waits for it, as soon as it is of something else', async () => {
		let of = 1;
		const made: string[] = [];
		const make = () => Promise.resolve((made.push(`of ${of}`), `of ${of}`));
		const value = new KeptValue<string>({ make, of: () => of, freshMs: 60_000, patienceMs: 0, now: () => 0 });
		assert.equal(await value.get(signal), 'of 1');
		of = 2;
		assert.equal(await value.get(signal), 'of 2');
		assert.equal(await value.get(signal), 'of 2');
		assert.deepEqual(made, ['of 1', 'of 2']);
	});

	it('gives the old one when the new one takes long, and the new one once it is there', async () => {
		const { value, made, pass } = kept(1);
		const first = value.get(signal);
		made[0]?.resolve('first');
		await first;
		pass(11);
		assert.equal(await value.get(signal), 'first');
		assert.equal(await value.get(signal), 'first');
		assert.equal(made.length, 2);
		made[1]?.resolve('second');
		await made[1]?.promise;
		assert.equal(await value.get(signal), 'second');
	});

	it('waits for a new one that is soon there', async () => {
		const { value, made, pass } = kept(60_000);
		const first = value.get(signal);
		made[0]?.resolve('first');
		await first;
		pass(11);
		const second = value.get(signal);
		made[1]?.resolve('second');
		assert.equal(await second, 'second');
	});

	it('tries again after a failure, and keeps what it had', async () => {
		const { value, made, pass } = kept(60_000);
		const failed = value.get(signal);
		made[0]?.reject(new Error('no disk'));
		await assert.rejects(failed, /no disk/);
		const first = value.get(signal);
		made[1]?.resolve('first');
		assert.equal(await first, 'first');
		pass(11);
		const still = value.get(signal);
		made[2]?.reject(new Error('no disk'));
		assert.equal(await still, 'first');
	});

	it('leaves who no longer wants to wait', async () => {
		const { value, made } = kept(60_000);
		const controller = new AbortController();
		const waiting = value.get(controller.signal);
		controller.abort(new Error('gone'));
		await assert.rejects(waiting, /gone/);
		made[0]?.resolve('first');
		assert.equal(await value.get(signal), 'first');
	});
});
