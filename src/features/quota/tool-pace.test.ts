import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { ToolPace } from './tool-pace.ts';

describe('The pace of tool calls', () => {
	const [one, other] = [newId('thr'), newId('thr')];
	const never = new AbortController().signal;
	let now: number;
	let limit: number;
	let told: number[];
	/** Called while a call waits. */
	let meanwhile: () => void;
	let pace: ToolPace;
	beforeEach(() => {
		[now, limit, told, meanwhile] = [0, 3, [], () => {}];
		const wait = (ms: number) => {
			now += ms;
			meanwhile();
			return Promise.resolve();
		};
		pace = new ToolPace({ limit: () => limit, now: () => now, wait });
	});
	const enters = (threadId = one, signal = never) => pace.enter(threadId, (ms) => told.push(ms), signal);

	it('lets as many pass at once as the limit says, and one more when a minute has passed since the first', async () => {
		await enters();
		now = 10_000;
		await enters();
		await enters();
		assert.deepEqual([now, told], [10_000, []]);
		await enters();
		assert.deepEqual([now, told], [60_000, [50_000]]);
		await enters(other);
		assert.equal(now, 60_000, 'another thread has its own');
		await enters();
		assert.equal(now, 70_000);
	});

	it('never lets more than the limit pass in any minute, however many ask', async () => {
		const counts = await Promise.all(Array.from({ length: 20 }, () => enters().then(() => pace.count(one))));
		assert.ok(Math.max(...counts) <= 3, `${counts.join(', ')}`);
		assert.ok(now >= 6 * 60_000, `20 calls took ${now} ms`);
	});

	it('goes on at once when the limit is raised or taken away, and counts nothing that was stopped', async () => {
		for (let n = 0; n < 3; n += 1) await enters();
		meanwhile = () => (limit = 4);
		await enters();
		assert.equal(now, 1_000);
		const stop = new AbortController();
		meanwhile = () => stop.abort();
		await enters(one, stop.signal);
		assert.deepEqual([now, pace.count(one)], [2_000, 4]);
		limit = 0;
		await enters();
		assert.equal(now, 2_000);
	});

	it('counts calls that nothing limits, so a limit that is set meanwhile holds for the minute that runs', async () => {
		limit = 0;
		for (let n = 0; n < 5; n += 1) await enters();
		assert.deepEqual([now, told, pace.count(one)], [0, [], 5]);
		limit = 3;
		await enters();
		assert.deepEqual([now, told], [60_000, [60_000]]);
	});
});
