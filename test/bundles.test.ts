/** The sizes of what ships, against the budgets in the table of bundles. Needs the minified build that `npm test` makes first. */

import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundles, executorBudgetBytes, firstTurnBudgets, vsixBudgetBytes } from '../scripts/build/bundles.ts';
import { bundleBytes, measureFirstTurns, type Metafiles } from '../scripts/build/first-turn.ts';

const root = join(import.meta.dirname, '..');

interface Meta {
	readonly production: boolean;
	readonly bundles: Metafiles;
}

describe('What ships', () => {
	let meta: Meta;

	before(() => {
		const file = join(root, 'dist/meta.json');
		assert.ok(existsSync(file), 'there is no dist/meta.json; run `npm run package`');
		meta = JSON.parse(readFileSync(file, 'utf8')) as Meta;
		assert.ok(meta.production, 'dist/ holds a development build; run `npm run package`');
	});

	for (const place of Object.keys(firstTurnBudgets)) {
		it(`keeps what a first turn ${place} loads within its budget`, () => {
			const { bytes, budgetBytes, parts } =
				measureFirstTurns(bundles(root), meta.bundles).find((size) => size.place === place) ?? assert.fail(place);
			for (const part of parts) assert.ok(part.bytes > 0, `dist/ does not hold the bundle "${part.name}"`);
			assert.ok(
				bytes <= budgetBytes,
				`${bytes - budgetBytes} bytes too many: ${bytes} of ${budgetBytes}, by bundle: ` +
					`${parts.map((part) => `${part.name} ${part.bytes}`).join(', ')}. \`npm run build -- --production --meta\` shows ` +
					'the largest inputs. Give what is rarely used a bundle of its own (scripts/build/bundles.ts).',
			);
		});
	}

	it('keeps each executor within its budget', () => {
		for (const { name } of bundles(root).filter((bundle) => bundle.out.startsWith('executors/'))) {
			const bytes = bundleBytes(meta.bundles[name]);
			assert.ok(bytes > 0 && bytes <= executorBudgetBytes, `${name}: ${bytes} bytes of ${executorBudgetBytes}`);
		}
	});

	it('holds every bundle', () => {
		for (const { name, out } of bundles(root)) {
			assert.ok(bundleBytes(meta.bundles[name]) > 0, `dist/ does not hold ${out} of the bundle "${name}"`);
		}
	});

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

	it('prints nothing from a library that would write its warnings to the console', () => {
		const silent = bundles(root).filter(({ isSilent }) => isSilent === true);
		assert.deepEqual(
			silent.map(({ out }) => out),
			['mcp-sdk.cjs', 'acp.cjs', 'rpc.cjs', 'mcp-door.cjs', 'web-door.cjs'],
		);
		for (const { out } of silent) {
			assert.doesNotMatch(readFileSync(join(root, 'dist', out), 'utf8'), /\bconsole\b *\.|\[mcp-sdk\] OAuth/);
		}
	});

	it('loads nothing of telemetry in a first turn but its switch, and of the doors no code for other clients', () => {
		for (const { place, parts } of measureFirstTurns(bundles(root), meta.bundles)) {
			const outputs = parts.flatMap(({ name }) => Object.values(meta.bundles[name]?.outputs ?? {}));
			const loaded = outputs.flatMap(({ inputs }) =>
				Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
					bytesInOutput > 0 ? [[path, bytesInOutput] as const] : [],
				),
			);
			const ofTelemetry = loaded.filter(([path]) => path.includes('/features/telemetry/'));
			assert.deepEqual(
				new Set(ofTelemetry.map(([path]) => path.split('/').at(-1))),
				new Set(['limits.ts', 'telemetry.ts', 'trace-context.ts']),
				place,
			);
			const bytes = ofTelemetry.reduce((sum, [, each]) => sum + each, 0);
			assert.ok(bytes <= 4_000, `${bytes} bytes of telemetry ${place}`);
			const doors = loaded.filter(([path]) => /\/host\/doors\/(?:mcp|rpc|web|windows)\//.test(path));
			assert.deepEqual(doors, [], place);
		}
	});

	it('loads vscode in the extension only', () => {
		const loading = Object.entries(meta.bundles).filter(([, { outputs }]) =>
			Object.values(outputs).some(({ imports }) => imports.some(({ path }) => path === 'vscode')),
		);
		const ours = bundles(root).filter(({ entry }) => entry.startsWith('src/extension/'));
		const others = loading.filter(([name]) => !ours.some((bundle) => bundle.name === name));
		assert.ok(loading.length > 0);
		assert.deepEqual(others, []);
	});
});
