/** The bundles that a first turn of the built command line loads, with a fresh home. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Bundle, bundles } from '../../../scripts/build/bundles.ts';
import { startModelServer } from '../../support/model-server.ts';
import { buildPrograms } from './built-programs.ts';
import { commandLimitMs, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const isCounted = ({ firstTurn = [] }: Bundle) => firstTurn.includes('on the command line');

describe('A first turn on the command line', function () {
	this.timeout(2 * commandLimitMs);

	it('loads no bundle that its budget does not count', async () => {
		const user = new User();
		const place = await buildPrograms(isCounted);
		const names = join(user.root, 'loaded');
		for (const { name, out } of bundles(root).filter((bundle) => !isCounted(bundle))) {
			const file = join(place, 'dist', out);
			const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(names)}, ${JSON.stringify(`${name}\n`)})`;
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${note}; throw new Error('not of a first turn');`);
		}
		user.writes('notes.txt', 'Milk\n');
		const model = await startModelServer([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'notes.txt' } }] },
			{ text: 'Milk is on it.' },
		]);
		try {
			const options = { program: join(place, 'dist/cli.mjs'), env: { NODE_COMPILE_CACHE: '' } };
			const turn = user.promptsApart(model.baseUrl, 'Read notes.txt and fix its spelling.', [], options);
			const { code, stdout, stderr } = await turn.ended;
			assert.equal(code, 0, stderr);
			assert.match(stdout, /Milk is on it\./);
			assert.equal(model.requests.length, 2);
			assert.equal(existsSync(names) ? readFileSync(names, 'utf8') : '', '');
		} finally {
			await model.close();
		}
	});
});
