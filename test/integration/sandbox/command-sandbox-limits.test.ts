/** Tests the resource limits of a command in the sandbox: attempts to take more, each bounded should nothing end it. */
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { WorkspaceCopy } from '../../../src/machine/sandbox/copy/workspace-copy.ts';
import { greedy } from '../../fixtures/escapes/greed.ts';
import { bubblewrap, SandboxScene } from '../../support/sandbox-scene.ts';
import { takeTooMuch } from './greedy-commands.ts';

describe('A command in the sandbox that takes more than one may', function () {
	this.timeout(60_000);
	before(function () {
		if (bubblewrap === undefined) this.skip();
	});

	for (const greed of greedy) {
		it(`is ended and told why: ${greed.title}`, async () => {
			const state = await takeTooMuch(greed, true);
			assert.deepEqual([state.timedOut, state.signal], [false, 'SIGKILL'], state.output);
			assert.match(state.kept?.join('\n') ?? '', greed.said);
		});
	}

	it('is ended on a copy of the workspace when it makes that too large', async () => {
		const scene = new SandboxScene({ 'a.txt': 'a' }, {}, undefined, { copyBytes: 50 * 1_048_576 });
		const copy = new WorkspaceCopy(scene.prowessHome, new AbortController().signal);
		try {
			const { signal, kept = [] } = await scene.sh('mkdir deep; fallocate -l 80M deep/large; sleep 30', { copy });
			assert.equal(signal, 'SIGKILL');
			assert.match(kept.join(), /it kept more than 50 MB on the copy of the workspace\./);
		} finally {
			await copy.remove();
			await scene.close();
		}
	});

	it('finds an eighth of the memory for files in it, whatever the machine allows, and nothing beside them', async () => {
		const scene = new SandboxScene();
		try {
			const { output } = await scene.sh('df -k --output=size /dev/shm | tail -1; (echo x > /dev/made) 2>&1 || true');
			const [size = '', refused] = output.trim().split('\n');
			const pageKilobytes = 4;
			assert.ok(Math.abs(Number(size) - totalmem() / 8 / 1024) <= pageKilobytes, size);
			assert.match(refused ?? '', /Read-only/);
		} finally {
			await scene.close();
		}
	});
});
