import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type DailyEnd, readDailyLines, runDaily, silentlyOther } from './daily-lines.ts';
import { OrdinaryCommands } from './ordinary-commands.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('soak: command lines of every day', () => {
	it('run as they are meant, as a text and as a list of words, inside the sandbox and outside', async function () {
		if (!existsSync(bubblewrap)) this.skip();
		const commands = new OrdinaryCommands(bubblewrap);
		const ends: DailyEnd[] = [];
		try {
			for (const line of readDailyLines()) ends.push(...(await runDaily(commands, line)));
		} finally {
			await commands.close();
		}
		const rows = ends
			.filter(({ outside, inside }) => outside !== 'same' || inside !== 'same')
			.map(
				({ given, read, outside, inside, ends: { bash, ...others } }) =>
					`${JSON.stringify(given)} as ${read}: outside ${outside}, inside ${inside}; bash ${bash.code}, ${others.outside.code}, ${others.inside.code}`,
			);
		const share = (place: 'outside' | 'inside', ...verdicts: readonly string[]) =>
			ends.filter((end) => verdicts.includes(end[place])).length / ends.length;
		console.log(
			[
				`${ends.length} runs: ${share('outside', 'same')} outside, ${share('inside', 'same')} inside, ${share('inside', 'same', 'kept')} inside or with the reason`,
				...rows,
			].join('\n'),
		);
		assert.deepEqual(silentlyOther(ends), []);
		assert.ok(share('outside', 'same') >= 0.95);
		assert.ok(share('inside', 'same', 'kept') >= 0.95);
	});
});
