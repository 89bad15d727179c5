import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { hostileCount } from '../../support/hostile-lines.ts';
import { below, seeded } from '../../support/seeded.ts';
import { runHostileLines } from './hostile-lines.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
/** A sample; `npm run soak` runs them all. */
const sample = 60;

describe('A hostile line in the sandbox', function () {
	this.timeout(120_000);
	before(function () {
		if (!existsSync(bubblewrap) || !existsSync('/usr/bin/python3')) this.skip();
	});

	it('is one of more than 2,000', () => {
		assert.ok(hostileCount > 2_000, String(hostileCount));
	});

	it(`reaches nothing outside: ${sample} of them`, async () => {
		const random = seeded(20_261_123);
		const chosen = Array.from({ length: sample }, () => below(random, hostileCount));
		const { through, ran } = await runHostileLines(chosen, { bubblewrap });
		assert.deepEqual(through, []);
		assert.ok(ran > sample / 2, `${ran} ran`);
	});
});
