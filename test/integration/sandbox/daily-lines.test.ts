import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { seeded, shuffled } from '../../support/seeded.ts';
import { type DailyEnd, readDailyLines, runDaily, silentlyOther } from './daily-lines.ts';
import { OrdinaryCommands } from './ordinary-commands.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('Command lines of every day', function () {
	this.timeout(120_000);

	it('run as bash runs them, as a text and as a list of words, or say that they failed', async function () {
		if (process.platform !== 'linux' || !existsSync(bubblewrap)) this.skip();
		const commands = new OrdinaryCommands(bubblewrap);
		const ends: DailyEnd[] = [];
		try {
			for (const line of shuffled(seeded(20_261_123), readDailyLines()).slice(0, 8)) {
				ends.push(...(await runDaily(commands, line)));
			}
		} finally {
			await commands.close();
		}
		const other = ends.filter(({ outside }) => outside !== 'same').map(({ given }) => given);
		assert.deepEqual(silentlyOther(ends), []);
		assert.ok(other.length <= ends.length * 0.05, JSON.stringify(other));
	});
});
