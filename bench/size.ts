/** Benchmark of sizes, G20: the users' download, and what a first turn loads of it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundles, vsixBudgetBytes } from '../scripts/build/bundles.ts';
import { measureFirstTurns, type Metafiles } from '../scripts/build/first-turn.ts';
import { ensureVsix } from '../scripts/setup/vsix.mjs';
import type { Figure } from './measure.ts';

const root = join(import.meta.dirname, '..');

export async function sizeFigures(): Promise<Figure[]> {
	await ensureVsix(process.execPath);
	const { size } = statSync(join(root, 'dist/prowess.vsix'));
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
	};
	const { bundles: metafiles } = JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8')) as {
		bundles: Metafiles;
	};
	const dependencies = Object.keys(manifest.dependencies).length;
	return [
		{
			goal: 'G20',
			what: 'VSIX',
			measured: `${(size / 2 ** 20).toFixed(2)} MiB`,
			bar: `<= ${vsixBudgetBytes / 2 ** 20} MiB`,
			met: size <= vsixBudgetBytes,
		},
		...measureFirstTurns(bundles(root), metafiles).map(({ place, bytes, budgetBytes }) => ({
			goal: 'G20',
			what: `bundles that a first turn ${place} loads`,
			measured: `${Math.ceil(bytes / 1000)} kB`,
			bar: `<= ${budgetBytes / 1000} kB`,
			met: bytes <= budgetBytes,
		})),
		{
			goal: 'G20',
			what: 'run-time dependencies, all bundled',
			measured: String(dependencies),
			bar: '<= 15',
			met: dependencies <= 15,
		},
	];
}
