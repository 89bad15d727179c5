/** Benchmark of the download size for users: G20. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { vsixBudgetBytes } from '../scripts/build/bundles.ts';
import { ensureVsix } from '../scripts/setup/vsix.mjs';
import type { Figure } from './measure.ts';

const root = join(import.meta.dirname, '..');

export async function sizeFigures(): Promise<Figure[]> {
	await ensureVsix(process.execPath);
	const { size } = statSync(join(root, 'dist/prowess.vsix'));
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		dependencies: Record<string, string>;
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
		{
			goal: 'G20',
			what: 'run-time dependencies, all bundled',
			measured: String(dependencies),
			bar: '<= 15',
			met: dependencies <= 15,
		},
	];
}
