import assert from 'node:assert/strict';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type CollectorAnswer, ExportQueue, type Waiting } from './export-queue.ts';
import { telemetryLimits } from './limits.ts';

describe('Telemetry that waits for its collector', () => {
	const taken = { status: 200, retryAfterMs: undefined };
	const spans = (name: string, bytes = 1): Waiting => ({ to: 'traces', body: Buffer.from(name.padEnd(bytes)) });
	const nameOf = ({ body }: Waiting) => body.toString('utf8').trim();

	/** `answers`: what the collector says to each request, by turns; an Error: it is away. */
	function queueFor(answers: (request: number) => CollectorAnswer | Error) {
		const got: string[] = [];
		const pauses: number[] = [];
		const states: (string | undefined)[] = [];
		let requests = 0;
		const queue = new ExportQueue({
			send: async (waiting) => {
				await Promise.resolve();
				const answer = answers((requests += 1));
				if (answer instanceof Error) throw answer;
				if (answer.status === 200) got.push(nameOf(waiting));
				return answer;
			},
			onState: (problem) => states.push(problem),
			pause: (ms) => Promise.resolve(void pauses.push(ms)),
		});
		return { queue, got, pauses, states, requests: () => requests };
	}

	it('is tried again after growing pauses, in its order, and the user hears once that the collector is away and once that it is back', async () => {
		const { queue, got, pauses, states } = queueFor((request) => (request <= 8 ? new Error('refused') : taken));
		for (const name of ['a', 'b', 'c']) queue.add(spans(name));
		await waitFor('all three', () => got.length === 3);
		assert.deepEqual(got, ['a', 'b', 'c']);
		assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
		assert.deepEqual(states, ['refused', undefined]);
		assert.equal(queue.takeDropped(), 0);
	});

	it('waits as long as a busy collector says, but never longer than a minute', async () => {
		const busy = (retryAfterMs: number | undefined) => ({ status: 429, retryAfterMs });
		const { queue, got, pauses } = queueFor(
			(request) => [busy(7_000), busy(3_600_000), busy(undefined)][request - 1] ?? taken,
		);
		queue.add(spans('a'));
		await waitFor('it', () => got.length === 1);
		assert.deepEqual(pauses, [7_000, 60_000, 4_000]);
	});

	it('is dropped and counted where the collector will have none of it, and the next is sent', async () => {
		const { queue, got, pauses, states } = queueFor((request) =>
			request === 1 ? { status: 400, retryAfterMs: undefined } : taken,
		);
		queue.add(spans('bad'));
		queue.add(spans('good'));
		await waitFor('the second', () => got.length === 1);
		assert.deepEqual([got, pauses, queue.takeDropped()], [['good'], [], 1]);
		assert.deepEqual(states, ['it answers with status 400', undefined]);
		assert.equal(queue.takeDropped(), 0, 'counted once');
	});

	it('has bounded room while the collector is away for an hour: the oldest goes first, and each is counted', async () => {
		const away = Promise.withResolvers<CollectorAnswer>();
		const got: string[] = [];
		const queue = new ExportQueue({
			send: async (waiting) => {
				const answer = await away.promise;
				got.push(nameOf(waiting));
				return answer;
			},
			onState: () => {},
		});
		const each = 10_000;
		const room = telemetryLimits.waitingBytes / each;
		for (let turn = 0; turn < room + 100; turn += 1) queue.add(spans(`turn ${turn}`, each));
		away.resolve(taken);
		await waitFor('the newest', () => got.at(-1) === `turn ${room + 99}`);
		assert.equal(queue.takeDropped(), 100);
		// The first was on its way.
		assert.deepEqual([got.length, got[0], got[1]], [room + 1, 'turn 0', 'turn 100']);
	});

	it('bounds the number of small ones, too', async () => {
		const away = Promise.withResolvers<CollectorAnswer>();
		const queue = new ExportQueue({ send: () => away.promise, onState: () => {} });
		for (let turn = 0; turn < telemetryLimits.waitingRequests + 5; turn += 1) queue.add(spans('x'));
		away.resolve(taken);
		await queue.close();
		assert.equal(queue.takeDropped(), 5);
	});

	describe('when the host ends', () => {
		it('is tried once more where it paused, and dropped if that fails', async () => {
			let requests = 0;
			const queue = new ExportQueue({
				send: () => ((requests += 1), Promise.reject(new Error('away'))),
				onState: () => {},
			});
			queue.add(spans('a'));
			queue.add(spans('b'));
			await waitFor('the pause', () => requests === 1);
			await queue.close();
			assert.deepEqual([requests, queue.takeDropped()], [2, 2]);
		});

		it('ends with a request that gets no answer within the limit', async () => {
			const queue = new ExportQueue({
				send: (_waiting, signal) =>
					new Promise((_resolve, reject) => {
						signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
					}),
				onState: () => {},
			});
			queue.add(spans('a'));
			await queue.close();
			assert.equal(queue.takeDropped(), 1);
		});
	});
});
