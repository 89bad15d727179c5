/** The bundles that a first turn of the built command line loads, with a fresh home. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Bundle, bundles } from '../../../scripts/build/bundles.ts';
import { startModelServer } from '../../support/model-server.ts';
import { buildPrograms } from './built-programs.ts';
import { commandLimitMs, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const isCounted = ({ firstTurn = [] }: Bundle) => firstTurn.includes('on the command line');

/**
 * Patterns that each process of the turn compiles, Node's own included. V8 compiles one when it is first executed. The server
 * judges prompts, answers and loops, and so looks for their words before it compiles a pattern.
 */
const MOST_PATTERNS = { 'dist/cli.mjs': 100, 'dist/server.mjs': 40 } as const;

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
		const notesOf = (program: string) => join(user.root, `patterns-of-${basename(program)}`);
		for (const program of Object.keys(MOST_PATTERNS)) {
			notePatterns(join(place, program), notesOf(program));
		}
		user.writes('notes.txt', 'Mlik\n');
		const model = await startModelServer([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'notes.txt' } }] },
			{ toolCalls: [{ name: 'fs_edit', input: { path: 'notes.txt', edits: [{ find: 'Mlik', replace: 'Milk' }] } }] },
			{ text: 'I have fixed the spelling in `notes.txt`: it says Milk now.' },
		]);
		try {
			const options = { program: join(place, 'dist/cli.mjs'), env: { NODE_COMPILE_CACHE: '' } };
			const turn = user.promptsApart(
				model.baseUrl,
				'Read notes.txt and fix its spelling.',
				['--approve', 'edit'],
				options,
			);
			const { code, stdout, stderr } = await turn.ended;
			assert.equal(code, 0, stderr);
			assert.match(stdout, /it says Milk now\./);
			assert.equal(readFileSync(join(user.workspace, 'notes.txt'), 'utf8'), 'Milk\n');
			assert.equal(model.requests.length, 3);
			assert.equal(existsSync(names) ? readFileSync(names, 'utf8') : '', '');
			for (const [program, most] of Object.entries(MOST_PATTERNS)) {
				const compiled = readFileSync(notesOf(program), 'utf8').trim().split('\n');
				assert.ok(compiled.length <= most, `${program}: ${compiled.length} patterns:\n${compiled.join('\n')}`);
			}
		} finally {
			await model.close();
		}
	});
});
