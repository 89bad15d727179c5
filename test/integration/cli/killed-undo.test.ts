import assert from 'node:assert/strict';
import { commandLimitMs } from './cli-process.ts';
import { killRestores, killUndos } from './killed-undo.ts';

describe('Links and folders whose host is killed', function () {
	this.timeout(commandLimitMs * 2);

	it('are restored, brought back and undone whole with the next command', async function () {
		if (process.platform !== 'linux') this.skip();
		assert.equal(await killRestores([9]), 2);
		// Before the 13th, what takes the place of a file lies beside it.
		assert.deepEqual(await killUndos([6, 13]), { kills: 2, leftovers: 1 });
	});
});
