import assert from 'node:assert/strict';
import { CommandClock } from './command-clock.ts';

describe('The time limit of a command', () => {
	it('passes once, and tells who asks later, too', async () => {
		const clock = new CommandClock(5);
		await new Promise<void>((resolve) => clock.onPassed(resolve));
		let told = 0;
		clock.onPassed(() => told++);
		assert.equal(told, 1);
		clock.dispose();
	});

	it('stands until the last of several waits is over', async () => {
		const clock = new CommandClock(20);
		let hasPassed = false;
		clock.onPassed(() => {
			hasPassed = true;
		});
		const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const waits = [clock.during(() => first.promise), clock.during(() => second.promise)];
		first.resolve();
		await waits[0];
		await new Promise((resolve) => setTimeout(resolve, 40));
		assert.equal(hasPassed, false);
		second.resolve();
		await waits[1];
		await new Promise<void>((resolve) => clock.onPassed(resolve));
		assert.equal(hasPassed, true);
		clock.dispose();
	});

	it('never passes where there is none', async () => {
		const clock = new CommandClock(undefined);
		clock.onPassed(() => assert.fail('it has passed'));
		await clock.during(() => Promise.resolve());
		clock.dispose();
	});
});
