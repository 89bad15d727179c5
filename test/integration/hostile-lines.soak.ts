import { existsSync } from 'node:fs';
import { hostileCount } from '../support/hostile-lines.ts';
import { runHostileLines } from './hostile-lines.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('soak: hostile lines in the sandbox', () => {
	it(`reach nothing outside: ${hostileCount} of them`, async function () {
		if (!existsSync(bubblewrap) || !existsSync('/usr/bin/python3')) this.skip();
		const ran = await runHostileLines(
			bubblewrap,
			Array.from({ length: hostileCount }, (_, index) => index),
		);
		console.log(`      ${ran} of ${hostileCount} ran, the others were refused or are no programs here`);
	});
});
