/** A copy of the repository in which one source at a time is another one. The repository itself stays as it is. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, tools } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';
import type { Mutant } from './sample.ts';

const gitLimitMs = 20_000;
const buildLimitMs = 10 * 60_000;
/** Below the tools, which git ignores. */
const folder = join(tools, 'mutants');
export const tree = join(folder, 'tree');
/** Is there once the place of a mutant was run through, in any process that may write it. */
const mark = join(folder, 'reached');
/** Every process says it once, also one that runs in a browser or must not write: then it is not known. */
const noted = `
function __reached() {
	try {
		if (globalThis.__wasReached) return;
		globalThis.__wasReached = true;
		process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(mark)}, '');
	} catch {}
}
`;

/** Files that git does not ignore, as they are now; packages and tools are shared. */
export function copyTree(): void {
	rmSync(folder, { recursive: true, force: true });
	const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', args, { cwd: root, encoding: 'utf8', timeout: gitLimitMs }).split('\0');
	for (const file of files.filter((each) => each !== '' && existsSync(join(root, each)))) {
		mkdirSync(dirname(join(tree, file)), { recursive: true });
		cpSync(join(root, file), join(tree, file));
	}
	symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
	mkdirSync(join(tree, '.tools'));
	for (const tool of ['node', 'vscode', 'bubblewrap']) {
		if (existsSync(join(tools, tool))) symlinkSync(join(tools, tool), join(tree, '.tools', tool));
	}
}

/** Lets the tree have this mutant. */
export function plant({ file, start, end, isStatement, new: to }: Mutant): void {
	const source = readFileSync(join(root, file), 'utf8');
	const changed = isStatement ? `{ __reached(); ${to} }` : `(__reached(), ${to})`;
	rmSync(mark, { force: true });
	writeFileSync(join(tree, file), `${source.slice(0, start)}${changed}${source.slice(end)}${noted}`);
}

export function pullOut({ file }: Mutant): void {
	cpSync(join(root, file), join(tree, file));
}

export function wasReached(): boolean {
	return existsSync(mark);
}

/** Builds what these spec files start, of what has changed. Specs of units and of pages build for themselves. */
export async function buildFor(step: string, files: readonly string[]): Promise<void> {
	if (step === 'unit' || files.every((file) => file.startsWith('test/webview/'))) return;
	const lines = [
		"const { ensureBundles } = await import('./scripts/setup/bundles.mjs');",
		"const { ensureVsix } = await import('./scripts/setup/vsix.mjs');",
		'await ensureBundles(process.execPath, { isProduction: true });',
		...(step === 'ui' ? ['await ensureVsix(process.execPath);'] : []),
	];
	await run({
		what: 'the build of a mutant',
		command: process.execPath,
		args: ['--input-type=module', '--eval', lines.join('\n')],
		cwd: tree,
		limitMs: buildLimitMs,
		advice: 'Look at the change in scripts/mutants/sites.ts: what it makes must be TypeScript.',
	});
}
