import assert from 'node:assert/strict';
import { checkGit, checkRipgrep } from './machine-checks.ts';

describe('A check of the machine', () => {
	it('that is stopped says nothing of a program, rather than that it is missing', async () => {
		const stopped = AbortSignal.abort(new Error('stopped by the user'));
		await assert.rejects(checkRipgrep([process.execPath], stopped), /stopped by the user/);
		await assert.rejects(checkGit(stopped), /stopped by the user/);
	});

	it('names the first program that runs', async () => {
		const { signal } = new AbortController();
		const { ok, detail } = await checkRipgrep(['/no/such/program', process.execPath], signal);
		assert.deepEqual([ok, detail], [true, `${process.version}, ${process.execPath}`]);
	});
});
