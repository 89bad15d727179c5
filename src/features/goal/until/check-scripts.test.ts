import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { listChangedScripts, markCheckScripts } from './check-scripts.ts';

describe('What a check runs', () => {
	const written = (folder: string, files: Readonly<Record<string, string | null>>) => {
		for (const [name, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, name)), { recursive: true });
			if (text === null) rmSync(join(folder, name));
			else writeFileSync(join(folder, name), text);
		}
	};
	const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
	const changedIn = (
		check: string,
		before: Readonly<Record<string, string>>,
		after: Readonly<Record<string, string | null>>,
	) => {
		const folder = tempDir('scripts');
		written(folder, before);
		const marks = markCheckScripts(check, folder);
		written(folder, after);
		return listChangedScripts(marks, markCheckScripts(check, folder));
	};

	it('has changed where a script of it was edited, made or deleted, or a line of the manifest leads elsewhere', () => {
		const npm = { 'package.json': manifest({ test: 'npm run all', all: 'FORCE=1 node tools/all.js; true' }) };
		for (const [check, before, after, changed] of [
			['node check.js', { 'check.js': 'a' }, { 'check.js': '' }, ['check.js']],
			['node check.js', {}, { 'check.js': '' }, ['check.js']],
			['ls && ./check', { check: 'a' }, { check: null }, ['check']],
			['sh -c "python3 tools/check.py"', { 'tools/check.py': 'a' }, { 'tools/check.py': 'b' }, ['tools/check.py']],
			['time node --require=./hook.cjs check', { 'hook.cjs': 'a', check: '' }, { 'hook.cjs': 'b' }, ['hook.cjs']],
			['npm test', { ...npm, 'tools/all.js': 'a' }, { 'tools/all.js': 'b' }, ['tools/all.js']],
			['npm t', npm, { 'package.json': manifest({ test: 'true' }) }, ['package.json: all', 'package.json: test']],
			['pnpm lint', { 'package.json': manifest({ lint: 'eslint' }) }, { 'package.json': '{' }, ['package.json: lint']],
			['npm test', npm, { 'package.json': manifest({ test: 'x', pretest: 'y' }) }, ['package.json: pretest']],
			['make test', { Makefile: 'test: a' }, { Makefile: 'test:' }, ['Makefile']],
		] as const) {
			const found = changedIn(check, before, after);
			assert.ok(
				changed.every((name) => found.includes(name)),
				`${check}: ${found.join(', ')}`,
			);
		}
	});

	it('has not changed with what the agent is to work on', () => {
		const test = { 'package.json': manifest({ test: 'mocha' }), 'a.test.js': 'a' };
		for (const [check, before, after] of [
			['npm test', test, { 'package.json': manifest({ test: 'mocha' }, { version: '2' }), 'a.test.js': 'b' }],
			['test -f made.txt', {}, { 'made.txt': 'x' }],
			['eslint src/cart.js', { 'src/cart.js': 'a' }, { 'src/cart.js': 'b' }],
			['grep -q node README.md', { 'README.md': 'a' }, { 'README.md': 'b' }],
			['node ../outside.js', {}, {}],
		] as const) {
			assert.deepEqual(changedIn(check, before, after), [], check);
		}
	});
});
