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

	const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
	const ofRegistry = { resolved: 'https://registry.example/a.tgz', integrity: 'sha512-a' };

	it('has changed with what an installation runs by itself, of the project, its packages and its lock file', () => {
		const npm = { 'package.json': manifest({}), 'package-lock.json': lock({}) };
		for (const [check, before, after, changed] of [
			['npm ci', npm, { 'package.json': manifest({ postinstall: 'evil' }) }, ['package.json: postinstall']],
			[
				'npm ci',
				{ ...npm, 'package.json': manifest({ prepare: 'node tools/prepare.js' }), 'tools/prepare.js': 'a' },
				{ 'tools/prepare.js': 'b' },
				['tools/prepare.js'],
			],
			[
				'npm ci',
				npm,
				{ 'package-lock.json': lock({ 'node_modules/a': { ...ofRegistry, hasInstallScript: true } }) },
				['package-lock.json: node_modules/a'],
			],
			[
				'npm ci --silent',
				{ ...npm, 'package-lock.json': lock({ 'node_modules/a': { ...ofRegistry, hasInstallScript: true } }) },
				{
					'package-lock.json': lock({
						'node_modules/a': { ...ofRegistry, integrity: 'sha512-b', hasInstallScript: true },
					}),
				},
				['package-lock.json: node_modules/a'],
			],
			[
				'npm ci',
				npm,
				{ 'package-lock.json': lock({ 'node_modules/a': { resolved: 'git+ssh://evil.example/a' } }) },
				['package-lock.json: node_modules/a'],
			],
			['npm ci', npm, { 'package-lock.json': '{"lockfileVersion":1}' }, ['package-lock.json']],
			['npm ci', npm, { 'binding.gyp': '{}' }, ['binding.gyp']],
			[
				'npm ci',
				{ ...npm, 'package-lock.json': lock({ 'packages/a': {} }), 'packages/a/package.json': manifest({}) },
				{ 'packages/a/package.json': manifest({ install: 'evil' }) },
				['packages/a/package.json: install'],
			],
			[
				'cd web && npm ci',
				{ 'web/package.json': manifest({}), 'web/package-lock.json': lock({}) },
				{ 'web/package.json': manifest({ install: 'x' }) },
				['web/package.json: install'],
			],
			[
				'npm --prefix web test',
				{ 'web/package.json': manifest({ test: 'a' }) },
				{ 'web/package.json': manifest({ test: 'b' }) },
				['web/package.json: test'],
			],
			['sh -c "npm i"', npm, { 'package.json': manifest({}, { dependencies: { a: '*' } }) }, ['package.json']],
			['pnpm install --frozen-lockfile', { 'pnpm-lock.yaml': 'a' }, { 'pnpm-lock.yaml': 'b' }, ['pnpm-lock.yaml']],
			['yarn', { 'yarn.lock': 'a' }, { 'yarn.lock': 'b' }, ['yarn.lock']],
			['time npm ci', npm, { 'binding.gyp': '{}' }, ['binding.gyp']],
			['uv sync --frozen', { 'pyproject.toml': 'a' }, { 'setup.py': 'b' }, ['setup.py']],
			['python3 -m pip install -e .', { 'setup.py': 'a' }, { 'setup.py': 'b' }, ['setup.py']],
			['bundle install', { Gemfile: 'a' }, { Gemfile: 'b' }, ['Gemfile']],
			['composer install', { 'composer.json': 'a' }, { 'composer.json': 'b' }, ['composer.json']],
			['poetry install', { 'poetry.lock': 'a' }, { 'poetry.lock': 'b' }, ['poetry.lock']],
		] as const) {
			assert.deepEqual(changedIn(check, before, after), changed, check);
		}
	});

	it('has changed with a lock file that is none, whatever is in it', () => {
		for (const before of ['null', '[]', '{', JSON.stringify({ lockfileVersion: 3, packages: null })]) {
			const found = changedIn('npm ci', { 'package-lock.json': before }, { 'package-lock.json': `${before} ` });
			assert.deepEqual(found, ['package-lock.json'], before);
		}
		const before = { 'package-lock.json': lock({ 'node_modules/a': null }) };
		const after = { 'package-lock.json': lock({ 'node_modules/a': 'b' }) };
		assert.deepEqual(changedIn('npm ci', before, after), ['package-lock.json']);
	});

	it('has not changed with packages of a registry that run nothing', () => {
		const before = {
			'package.json': manifest({}),
			'package-lock.json': lock({ '': {}, 'node_modules/a': ofRegistry }),
		};
		const after = {
			'package.json': manifest({}, { dependencies: { b: '1' } }),
			'package-lock.json': lock({ '': {}, 'node_modules/b': { ...ofRegistry, version: '2' } }),
		};
		assert.deepEqual(changedIn('npm ci', before, after), []);
		assert.deepEqual(changedIn('npm run lint', before, after), []);
	});
});
