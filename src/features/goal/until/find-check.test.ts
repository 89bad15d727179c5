import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { findCheck } from './find-check.ts';

describe('The command for a condition', () => {
	const project = (files: Readonly<Record<string, string>>) => {
		const folder = tempDir('checks');
		for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
		return folder;
	};
	const scripts = (own: object) => JSON.stringify({ scripts: own });

	it('is none where the project names none, or it decides only a part', () => {
		const npm = project({ 'package.json': scripts({ test: 'mocha' }) });
		for (const [condition, folder] of [
			['all tests pass', project({})],
			['all tests pass', project({ 'package.json': '{' })],
			['all tests pass', project({ 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) })],
			['all tests pass and the README is translated', npm],
			['all tests in src/cart.ts pass', npm],
			['the parser has tests', npm],
			['the app is fast', npm],
		] as const) {
			assert.equal(findCheck(condition, folder), undefined, condition);
		}
	});

	it('is the one that the project has for it', () => {
		const npm = { 'package.json': scripts({ test: 'mocha', lint: 'eslint', typecheck: 'tsc' }) };
		for (const [condition, files, line] of [
			['all tests pass', npm, 'npm test'],
			['Alle Tests laufen', npm, 'npm test'],
			['the tests pass and lint is clean', npm, 'npm test && npm run lint'],
			['there are no type errors, type-check passes', npm, undefined],
			['type-check passes', npm, 'npm run typecheck'],
			['all tests pass', { ...npm, 'pnpm-lock.yaml': '' }, 'pnpm test'],
			['all tests pass', { Makefile: 'test: build\n\tpytest\n' }, 'make test'],
			['all tests pass', { 'Cargo.toml': '' }, 'cargo test'],
			['it builds', { 'go.mod': '' }, 'go build ./...'],
			['tests are green', { 'pytest.ini': '[pytest]' }, 'pytest'],
			['`npm run e2e` passes', {}, 'npm run e2e'],
		] as const) {
			assert.equal(findCheck(condition, project(files)), line, condition);
		}
	});
});
