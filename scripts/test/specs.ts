import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { seeded, shuffled } from '../../test/support/seeded.ts';
import { artifacts, root } from '../setup/paths.mjs';
import { attempt } from '../setup/run.mjs';
import { type EndedRun, type Outcome, outcomeOf } from './outcome.ts';
import { type Suites, withSecondTry } from './second-try.ts';
import { readSpecResults } from './spec-results.ts';

interface SpecRun {
	readonly name: string;
	/** Patterns of spec files. */
	readonly files: readonly string[];
	readonly limitMs: number;
	readonly testLimitMs: number;
	readonly env: NodeJS.ProcessEnv;
	/** Only tests whose full title matches. */
	readonly grep: string | undefined;
	/** Number of files that run at the same time. */
	readonly jobs: number;
	/** Modules with hooks around every test, beside the check for leaks. Default: none. */
	readonly hooks?: readonly string[];
	/** Patterns of spec files that begin before all others: those that take longest, so that none runs last by itself. */
	readonly first?: readonly string[];
	/** True to try a suite that fails once more. Default: false. */
	readonly hasSecondTry?: boolean;
	/** Runs files, and the specs of each suite, in the order that this number gives. Default: by name, and as they stand. */
	readonly seed?: number | undefined;
}

/** Number of spec files that run at the same time when they compute. */
export const sideBySide = Math.min(2, availableParallelism());
/** The same for those that wait for half of their time, on other processes: their limits are made for three on two cores. */
export const sideBySideWaiting = sideBySide + 1;
/** True under the debugger, where a test must run in the process that was started and may take any time. */
const isDebugged = process.env['VSCODE_INSPECTOR_OPTIONS'] !== undefined;

/** Runs specs as they are, without a build, and counts them: files side by side, each with its own leak check. */
export async function runSpecs({ first = [], hasSecondTry = false, ...run }: SpecRun): Promise<Outcome> {
	const isOf = (patterns: readonly string[], file: string) => patterns.some((pattern) => matchesGlob(file, pattern));
	const all = globSync([...run.files], { cwd: root }).sort();
	const files = inOrder(
		[...all.filter((each) => isOf(first, each)), ...all.filter((each) => !isOf(first, each))],
		run.seed,
	);
	const tried = await runMocha({ ...run, files });
	const again = (suites: Suites) =>
		runMocha({ ...run, files: [suites.file], grep: run.grep ?? titlesOf(suites), env: inSecondTry(run.env) });
	return hasSecondTry ? withSecondTry({ first: tried, artifacts: artifactsIn(run.env), again }) : outcomeOf(tried);
}

function inOrder(files: readonly string[], seed: number | undefined): readonly string[] {
	return seed === undefined ? files : shuffled(seeded(seed), files);
}

/** The pattern of all specs in these suites. */
export function titlesOf({ titles }: Suites): string {
	return `^(?:${titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')}) `;
}

export function inSecondTry(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return { ...env, PROWESS_TRY: 'second' };
}

/** Where the specs that have this environment put their pictures. */
export function artifactsIn(env: NodeJS.ProcessEnv): string {
	return env['PROWESS_ARTIFACTS'] ?? artifacts;
}

function runMocha(run: Omit<SpecRun, 'first' | 'hasSecondTry'>): Promise<EndedRun> {
	const { name, limitMs, env, seed } = run;
	const args = mochaArguments(run);
	return runNoted({ name, args, limitMs, env: seed === undefined ? env : { ...env, PROWESS_SEED: String(seed) } });
}

type Choice = Pick<SpecRun, 'files' | 'testLimitMs' | 'grep' | 'jobs' | 'hooks' | 'seed'>;

/**
 * Returns the arguments for mocha that run these spec files and note them as `runNoted` wants. Paths begin where mocha
 * is started.
 */
export function mochaArguments({ files, testLimitMs, grep, jobs, seed, hooks = [] }: Choice): string[] {
	return [
		join(root, 'node_modules/mocha/bin/mocha.js'),
		...['--no-config', '--extension', 'ts', '--exit', '--forbid-only', '--slow', '300'],
		...['./test/support/leaks.ts', ...hooks].flatMap((module) => ['--require', module]),
		...(seed === undefined ? [] : ['--require', './test/support/shuffled-specs.ts']),
		...['--reporter', join(import.meta.dirname, 'counting-reporter.mjs')],
		...(jobs > 1 && files.length > 1 && !isDebugged ? ['--parallel', '--jobs', String(jobs)] : []),
		...['--timeout', isDebugged ? '0' : String(testLimitMs)],
		...(grep === undefined ? [] : ['--grep', grep]),
		...files,
	];
}

/**
 * Runs a script that notes its specs in the file named in PROWESS_RESULTS. A script that dies before its end has a
 * problem: a crash is never taken for a pass.
 */
export async function runNoted(run: {
	readonly name: string;
	/** Default: the Node that this runs on. */
	readonly command?: string;
	readonly args: readonly string[];
	readonly limitMs: number;
	readonly env: NodeJS.ProcessEnv;
	/** Default: the repository. */
	readonly cwd?: string;
	/** True to print the output of the script. Default: true. */
	readonly shows?: boolean;
}): Promise<EndedRun> {
	const folder = mkdtempSync(join(tmpdir(), 'prowess-results-'));
	const file = join(folder, 'results.jsonl');
	try {
		const { problem } = await attempt({
			what: run.name,
			command: run.command ?? process.execPath,
			args: run.args,
			limitMs: run.limitMs,
			cwd: run.cwd ?? root,
			env: { ...run.env, PROWESS_RESULTS: file },
			shows: run.shows ?? true,
			advice: '',
		});
		const { done, specs, tookMs } = readSpecResults(file);
		const isWhole = done && (problem === undefined || specs.some(({ state }) => state === 'failed'));
		return {
			done,
			specs,
			tookMs,
			problem: isWhole ? undefined : (problem ?? `${run.name} ended before all of its tests had run`),
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
