import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type DailyEnd, readDailyLines, runDaily, silentlyOther } from './daily-lines.ts';
import { OrdinaryCommands } from './ordinary-commands.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('soak: command lines of every day', () => {
	const lines = readDailyLines();
	const ends: DailyEnd[] = [];
	let commands: OrdinaryCommands;
	before(function () {
		if (!existsSync(bubblewrap)) this.skip();
		commands = new OrdinaryCommands(bubblewrap);
	});
	after(() => commands?.close());

	for (const kind of new Set(lines.map((line) => line.kind))) {
		it(`that are ${kind} run as they are meant, as a text and as a list of words, or say that they failed`, async () => {
			const own: DailyEnd[] = [];
			for (const line of lines.filter((each) => each.kind === kind)) own.push(...(await runDaily(commands, line)));
			ends.push(...own);
			console.log(toldOf(own));
			assert.deepEqual(silentlyOther(own), []);
		});
	}

	it('run as they are meant, at least 95 of 100, outside the sandbox and inside', () => {
		console.log(toldOf(ends));
		assert.ok(share(ends, 'outside', 'same') >= 0.95);
		assert.ok(share(ends, 'inside', 'same', 'kept') >= 0.95);
	});
});

function share(ends: readonly DailyEnd[], place: 'outside' | 'inside', ...verdicts: readonly string[]): number {
	return ends.filter((end) => verdicts.includes(end[place])).length / ends.length;
}

/** Lists the lines that ended otherwise, each in a line. */
function toldOf(ends: readonly DailyEnd[]): string {
	const rows = ends
		.filter(({ outside, inside }) => outside !== 'same' || inside !== 'same')
		.map(
			({ given, read, outside, inside, ends: { bash, ...others } }) =>
				`${JSON.stringify(given)} as ${read}: outside ${outside}, inside ${inside}; bash ${bash.code}, ${others.outside.code}, ${others.inside.code}`,
		);
	return [
		`${ends.length} runs: ${share(ends, 'outside', 'same')} outside, ${share(ends, 'inside', 'same')} inside, ${share(ends, 'inside', 'same', 'kept')} inside or with the reason`,
		...rows,
	].join('\n');
}
