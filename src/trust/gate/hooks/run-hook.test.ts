import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { commandEnvironment } from '../../../machine/environment.ts';
import { CommandGuard } from '../../../machine/shell/command-guard.ts';
import { runHook } from './run-hook.ts';

describe('A hook that is stopped before it runs', () => {
	let cwd: string;
	let guard: CommandGuard;
	let stop: AbortController;
	beforeEach(() => {
		cwd = tempDir('home');
		guard = new CommandGuard();
		stop = new AbortController();
	});
	afterEach(() => guard.close());

	const runs = (...run: [string, ...string[]]) => {
		const environment = commandEnvironment(process.env, process.platform);
		return runHook({ run }, {}, { cwd, environment, guard, sandbox: undefined }, stop.signal);
	};

	it('is not looked for', async () => {
		stop.abort(new Error('stopped by the user'));
		await assert.rejects(runs('no-such-program'), /stopped by the user/);
	});

	it('is not started when the stop comes while it is looked for', async () => {
		const running = runs('touch', 'begun');
		stop.abort(new Error('stopped by the user'));
		await assert.rejects(running, /stopped by the user/);
		assert.equal(existsSync(join(cwd, 'begun')), false);
	});
});
