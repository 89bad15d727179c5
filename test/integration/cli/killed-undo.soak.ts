import assert from 'node:assert/strict';
import { killAtSteps } from './killed-undo.ts';

describe('Undo and restore of links and folders', function () {
	this.timeout(3_600_000);

	it('are whole after the next command, before whichever step their host was killed', async () => {
		const kills = await killAtSteps(Array.from({ length: 200 }, (_, index) => index + 1));
		assert.ok(kills > 60, `${kills} hosts were killed`);
	});
});
