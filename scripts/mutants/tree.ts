/** A copy of the repository in which one source at a time is another one. The repository itself stays as it is. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { buildOptions } from '../build/build-options.ts';
import { type Bundle, bundles } from '../build/bundles.ts';
import { root, tools } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';
import type { Mutant } from './sample.ts';

const gitLimitMs = 20_000;
const buildLimitMs = 10 * 60_000;
/** Below the tools, which git ignores. */
const folder = join(tools, 'mutants');
export const tree = join(folder, 'tree');
const meta = join(tree, 'dist/meta.json');
/** Sources that are others since the last build. */
const unbuilt = new Set<string>();
/** Only specs of the workbench start the others, and their package is made from all bundles. */
const isStarted = ({ runsIn, isForPrograms = false }: Bundle) => isForPrograms || runsIn !== 'extension host';
/** Holds a file for each place of the sample that was run through, by any process that may write it. */
const marks = join(folder, 'reached');
/** Stands at the end of a source with places of the sample. A browser and a process that must not write say nothing. */
const noted = `
function __reached(number) {
	try {
		const known = (globalThis.__reachedPlaces ??= new Set());
		if (known.has(number)) return;
		known.add(number);
		process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(`${marks}/`)} + number, '');
	} catch {}
}
`;

/** Files that git does not ignore, as they are now, with the places of the sample; packages and tools are shared. */
export function copyTree(sample: readonly Mutant[]): void {
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
	mkdirSync(marks);
	for (const mutant of sample) pullOut(mutant, sample);
}

/** Writes the file of a mutant with that one changed, and with what says that the places of the sample were run through. */
export function plant({ file, number }: Mutant, sample: readonly Mutant[]): void {
	write(file, planted(file, sample, number));
}

/**
 * Restores the mutant's file to the original, with the markers that record which places of the sample are run through.
 */
export function pullOut({ file }: Mutant, sample: readonly Mutant[]): void {
	write(file, planted(file, sample, undefined));
}

function write(file: string, text: string): void {
	if (readFileSync(join(tree, file), 'utf8') === text) return;
	writeFileSync(join(tree, file), text);
	unbuilt.add(file);
}

function planted(file: string, sample: readonly Mutant[], changed: number | undefined): string {
	const source = readFileSync(join(root, file), 'utf8');
	const mutants = sample.filter((mutant) => mutant.file === file);
	const one = mutants.find(({ number }) => number === changed);
	const isGone = ({ start, end }: Mutant) => one !== undefined && start >= one.start && end <= one.end;
	const edits = mutants
		.filter((mutant) => mutant === one || !isGone(mutant))
		.flatMap((mutant) => {
			const { number, start, end, isStatement, new: to } = mutant;
			const [open, close] = isStatement ? [`{ __reached(${number}); `, ' }'] : [`(__reached(${number}), `, ')'];
			if (mutant === one) return [{ start, end, text: `${open}${to}${close}`, around: 0 }];
			return [
				{ start, end: start, text: open, around: end - start },
				{ start: end, end, text: close, around: start - end },
			];
		});
	let text = '';
	let copied = 0;
	// Sort so that an enclosing edit opens before the edits inside, and closes after them.
	for (const edit of edits.toSorted((a, b) => a.start - b.start || b.around - a.around)) {
		text += source.slice(copied, edit.start) + edit.text;
		copied = edit.end;
	}
	return text + source.slice(copied) + noted;
}

/** The numbers of the places that were run through since this was asked last. */
export function takeReached(): number[] {
	const numbers = readdirSync(marks).map(Number);
	rmSync(marks, { recursive: true });
	mkdirSync(marks);
	return numbers;
}

/** Builds what the specs of this step start, of what has changed; unit specs start sources. */
export async function buildFor(step: string): Promise<void> {
	if (step === 'unit') return;
	if (step === 'ui' || !existsSync(meta)) {
		await make('bundles', 'ensureBundles(process.execPath, { isProduction: true })');
		if (step === 'ui') await make('vsix', 'ensureVsix(process.execPath)');
	} else {
		const { bundles: made } = JSON.parse(readFileSync(meta, 'utf8')) as { bundles: Readonly<Record<string, Metafile>> };
		const isOld = ({ name }: Bundle) => Object.keys(made[name]?.inputs ?? {}).some((file) => unbuilt.has(file));
		const old = bundles(tree).filter((bundle) => isStarted(bundle) && isOld(bundle));
		await Promise.all(old.map((bundle) => build(buildOptions(tree, bundle, true))));
	}
	if (step !== 'ui') await make('spec-programs', 'ensureSpecPrograms()');
	unbuilt.clear();
}

async function make(name: string, call: string): Promise<void> {
	await run({
		what: 'the build of a mutant',
		command: process.execPath,
		args: ['--input-type=module', '--eval', `await (await import('./scripts/setup/${name}.mjs')).${call};`],
		cwd: tree,
		limitMs: buildLimitMs,
		advice: 'Look at the change in scripts/mutants/sites.ts: what it makes must be TypeScript.',
	});
}
