import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { kit } from './kit.ts';

/** Bundles the specs and their runner for the extension host into a folder; returns the path of the runner. */
export async function bundleHostTests(specs: readonly string[], outFolder: string): Promise<string> {
	const files = globSync([...specs], { cwd: kit.root });
	if (files.length === 0) throw new Error(`no spec matches ${specs.join(', ')}`);
	await build({
		absWorkingDir: kit.root,
		entryPoints: [
			{ in: 'test/vscode/harness/host-runner.ts', out: 'runner' },
			...files.map((file, index) => ({ in: file, out: `${index}-${basename(file, '.ts')}` })),
		],
		outdir: outFolder,
		bundle: true,
		platform: 'node',
		target: 'node22.20',
		format: 'cjs',
		external: ['vscode'],
		sourcemap: 'inline',
		logLevel: 'warning',
	});
	writeFileSync(join(outFolder, 'package.json'), '{"type":"commonjs"}');
	return join(outFolder, 'runner.js');
}
