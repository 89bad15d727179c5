import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readCommandCorpus } from '../../support/command-corpus.ts';
import { type Compared, OrdinaryCommands, tableOf } from './ordinary-commands.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('soak: ordinary commands in the sandbox', () => {
	it('end as they do outside, or say what kept them', async function () {
		if (!existsSync(bubblewrap)) this.skip();
		const commands = new OrdinaryCommands(bubblewrap);
		const compared: Compared[] = [];
		try {
			for (const command of readCommandCorpus('ordinary')) {
				const each = await commands.compare(command);
				if (each !== undefined) compared.push(each);
			}
		} finally {
			await commands.close();
		}
		console.log(tableOf(compared).replaceAll(/^/gm, '      '));
		const unexplained = compared.filter(
			// The processes of others are not there at all, so nothing is kept from it that could be named.
			({ line, verdict, inside }) => verdict === 'other' && inside.kept.length === 0 && !line.startsWith('ps '),
		);
		assert.deepEqual(
			unexplained.map(({ line }) => line),
			[],
		);
	});
});
