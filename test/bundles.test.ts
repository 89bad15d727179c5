/** The sizes of what ships, against the budgets in the table of bundles. Needs the minified build that `npm test` makes first. */

import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundles, vsixBudgetBytes } from '../scripts/build/bundles.ts';

const root = join(import.meta.dirname, '..');

interface Meta {
	readonly production: boolean;
	readonly bundles: Readonly<Record<string, Metafile>>;
}

describe('What ships', () => {
	let meta: Meta;

	before(() => {
		const file = join(root, 'dist/meta.json');
		assert.ok(existsSync(file), 'there is no dist/meta.json; run `npm run package`');
		meta = JSON.parse(readFileSync(file, 'utf8')) as Meta;
		assert.ok(meta.production, 'dist/ holds a development build; run `npm run package`');
	});

	for (const { name, entry, budgetBytes } of bundles(root)) {
		it(`keeps the bundle "${name}" within its budget`, () => {
			const outputs = meta.bundles[name]?.outputs ?? {};
			const all = sizeOf(outputs, Object.keys(outputs));
			assert.ok(all > 0, `dist/ does not hold the bundle of ${entry}`);
			assert.ok(
				all <= budgetBytes,
				`${all} bytes of ${budgetBytes}; \`npm run build -- --meta\` shows the largest inputs`,
			);
		});
	}

	it('keeps the package within 4 MiB', () => {
		const { size } = statSync(join(root, 'dist/prowess.vsix'));
		assert.ok(size <= vsixBudgetBytes, `${size} bytes of ${vsixBudgetBytes}`);
	});

	it('has programs in nothing but ASCII, which take half of the memory', () => {
		const programs = bundles(root).filter(({ runsIn }) => runsIn === 'program');
		assert.ok(programs.length > 0);
		for (const { out } of programs) {
			assert.ok(isAscii(readFileSync(join(root, 'dist', out))), out);
		}
	});

	it('loads no TLS and no compression at the start of an executor', () => {
		const executors = Object.entries(meta.bundles).filter(([name]) => name.startsWith('executor '));
		assert.ok(executors.length > 0);
		for (const [name, { outputs }] of executors) {
			const loaded = Object.values(outputs).flatMap(({ imports, inputs }) => [
				...imports.map(({ path }) => path),
				...Object.keys(inputs).map((input) => input.replace(/^of-the-process:/, '')),
			]);
			// A worker speaks over its standard input and output.
			for (const sure of name === 'executor node-worker' ? [] : ['http', 'node:net']) {
				assert.ok(loaded.includes(sure), `${name} loads no ${sure}: this test looks for the wrong names`);
			}
			const needless = loaded.filter((path) => /^(?:node:)?(?:https|tls|zlib)$/.test(path));
			assert.deepEqual(needless, [], name);
		}
	});

	it('asks the process for what programs import of Node, which reads each export of what is imported', () => {
		for (const { name } of bundles(root).filter(({ runsIn }) => runsIn === 'node' || runsIn === 'program')) {
			const imports = Object.values(meta.bundles[name]?.outputs ?? {}).flatMap((output) => output.imports);
			const ofNode = imports.filter(({ kind, path }) => kind === 'import-statement' && path.startsWith('node:'));
			assert.deepEqual(
				ofNode.map(({ path }) => path),
				[],
				name,
			);
		}
	});

	it('loads vscode in the extension only', () => {
		const loading = Object.entries(meta.bundles).filter(([, { outputs }]) =>
			Object.values(outputs).some(({ imports }) => imports.some(({ path }) => path === 'vscode')),
		);
		assert.deepEqual(
			loading.map(([name]) => name),
			['extension', 'extension app', 'extension client'],
		);
	});
});

type Outputs = Metafile['outputs'];

function sizeOf(outputs: Outputs, paths: Iterable<string>): number {
	return [...paths]
		.filter((path) => !path.endsWith('.map'))
		.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
}
