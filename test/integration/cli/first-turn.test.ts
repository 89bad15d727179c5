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

/** Patterns that both processes of the turn compile, Node's own included. V8 compiles one when it is first executed. */
const MOST_PATTERNS = 160;

/** Has a program note each pattern that it executes first; all of `test`, `match`, `replace` and `split` go through a replaced `exec`. */
function notePatterns(program: string, notes: string): void {
	const [, shebang = '', code = ''] = /^(#!.*\n)?([^]*)$/.exec(readFileSync(program, 'utf8')) ?? [];
	const hook = `{
		const seen = new Set();
		const { exec } = RegExp.prototype;
		RegExp.prototype.exec = function (text) {
			const pattern = '/' + this.source + '/' + this.flags;
			if (!seen.has(pattern)) {
				seen.add(pattern);
				process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(notes)}, pattern.slice(0, 80) + '\\n');
			}
			return exec.call(this, text);
		};
	}
	`;
	writeFileSync(program, `${shebang}${hook}${code}`);
}

describe('A first turn on the command line', function () {
	this.timeout(2 * commandLimitMs);

	it('loads no bundle that its budget does not count, and compiles few patterns', async () => {
		const user = new User();
		const place = await buildPrograms(isCounted);
		const names = join(user.root, 'loaded');
		for (const { name, out } of bundles(root).filter((bundle) => !isCounted(bundle))) {
			const file = join(place, 'dist', out);
			const note = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(names)}, ${JSON.stringify(`${name}\n`)})`;
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${note}; throw new Error('not of a first turn');`);
		}
		const patterns = join(user.root, 'patterns');
		for (const program of ['dist/cli.mjs', 'dist/server.mjs']) {
			notePatterns(join(place, program), patterns);
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
			const compiled = readFileSync(patterns, 'utf8').trim().split('\n');
			assert.ok(compiled.length <= MOST_PATTERNS, `${compiled.length} patterns:\n${compiled.join('\n')}`);
		} finally {
			await model.close();
		}
	});
});
