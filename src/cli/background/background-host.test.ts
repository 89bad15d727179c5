import assert from 'node:assert/strict';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { BackgroundHost } from './background-host.ts';

describe('The background host', () => {
	let host: BackgroundHost;
	let begun: number;
	/** Exit code of each process, which ends at once. */
	let code: number | null;
	let looks: number;
	let jobFolders: () => Promise<readonly string[]>;
	let stop: AbortController;

	beforeEach(() => {
		[begun, code, looks] = [0, 0, 0];
		jobFolders = async () => ['/work'];
		stop = new AbortController();
		host = new BackgroundHost({
			version: '1.0.0',
			startedAt: 0,
			schedules: { dueFolders: () => [], nextDue: () => undefined },
			goals: { leftOpen: () => [] },
			jobFolders: async () => {
				looks += 1;
				return await jobFolders();
			},
			whyNot: () => undefined,
			begin: () => {
				begun += 1;
				return { pid: begun, ended: turnOfLoop(code), stop() {}, kill() {} };
			},
			onWaiting() {},
			onFailure: (error) => assert.fail(String(error)),
		});
	});

	async function runFor(turns: number): Promise<void> {
		const ran = host.run(stop.signal);
		for (let turn = 0; turn < turns; turn++) await turnOfLoop();
		stop.abort();
		await ran;
	}

	it('pauses before a process for jobs that was killed four times before it did anything', async () => {
		code = null;
		await runFor(60);
		assert.equal(begun, 4);
	});

	it('pauses before a process for jobs that could not be started', async () => {
		code = -1;
		await runFor(60);
		assert.equal(begun, 1);
	});

	it('looks for jobs when there are news of them, and starts no process that is to wait', async () => {
		code = -1;
		const ran = host.run(stop.signal);
		for (let turn = 0; turn < 5; turn++) await turnOfLoop();
		host.lookForJobs();
		for (let turn = 0; turn < 5; turn++) await turnOfLoop();
		assert.deepEqual([looks, begun], [2, 1]);
		stop.abort();
		await ran;
		host.lookForJobs();
		assert.equal(looks, 2);
	});

	it('looks for jobs once at a time, and once more where somebody wanted that meanwhile', async () => {
		const found = Promise.withResolvers<readonly string[]>();
		jobFolders = async () => await found.promise;
		const ran = host.run(stop.signal);
		host.look();
		host.look();
		await turnOfLoop();
		assert.equal(looks, 1);
		found.resolve([]);
		await turnOfLoop();
		assert.equal(looks, 2);
		stop.abort();
		await ran;
	});
});
