import assert from 'node:assert/strict';
import { killRestores, killUndos } from './killed-undo.ts';

const STEPS = Array.from({ length: 200 }, (_, index) => index + 1);

describe('Links and folders, before whichever step their host is killed,', function () {
	this.timeout(3_600_000);

	it('are restored and brought back whole with the next command', async () => {
		const kills = await killRestores(STEPS);
		assert.ok(kills > 20, `${kills} hosts were killed`);
	});

	it('are undone whole with the next undo', async () => {
		const { kills, leftovers } = await killUndos(STEPS);
		assert.ok(kills > 10 && leftovers > 2, `${kills} hosts were killed, and left ${leftovers} names`);
	});
});
