import assert from 'node:assert/strict';
import { HOUR, World } from '../../../test/support/schedule-world.ts';
import { ScheduleRunner } from './schedule-runner.ts';

describe('A runner of schedules', () => {
	let world: World;
	beforeEach(() => {
		world = new World();
	});
	afterEach(() => world.close());

	it('stops the run under way when it is closed, and waits for its end', async () => {
		const { id } = world.add('hourly', '7 * * * *', 'each', 10);
		world.alive.add('host');
		const store = world.store('host');
		const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>();
		const runner = new ScheduleRunner({
			store: () => store,
			clock: world.time.clock(),
			log: { error: assert.fail },
			isMine: () => true,
			poll: () => assert.fail('nothing is watched'),
			async carryOut(_, hasBegun, signal) {
				hasBegun();
				resolve(signal);
				await new Promise((ended) => signal.addEventListener('abort', ended));
				throw signal.reason;
			},
		});
		await world.time.pass(HOUR);
		const looked = runner.look();
		const signal = await begun;
		const closed = runner.close();
		assert.equal(signal.aborted, true);
		await closed;
		await looked;
		assert.deepEqual([store.runs(id)[0]?.state, runner.isRunning], ['interrupted', false]);
	});
});
