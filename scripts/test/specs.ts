import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { root } from '../setup/paths.mjs';
import { attempt } from '../setup/run.mjs';
import { nothing, type Outcome, sum } from './outcome.ts';

export interface SpecRun {
	readonly name: string;
	/** Patterns of spec files. */
	readonly files: readonly string[];
	readonly limitMs: number;
	readonly testLimitMs: number;
	readonly env: NodeJS.ProcessEnv;
	/** Only tests whose full title matches. */
	readonly grep: string | undefined;
	/** How many files run at the same time. */
	readonly jobs: number;
	/** Patterns of spec files that run one after the other, after all others: they measure the machine. Default: none. */
	readonly alone?: readonly string[];
}

/** How many spec files run at the same time unless told otherwise. Their limits are made for two on two cores. */
export const sideBySide = Math.min(2, availableParallelism());
/** Whoever looks at a test in the debugger wants it in the process that was started, and takes the time that takes. */
const isDebugged = process.env['VSCODE_INSPECTOR_OPTIONS'] !== undefined;

/** Runs specs as they are, without a build, and counts them: files side by side, each with its own leak check. */
export async function runSpecs({ alone = [], ...run }: SpecRun): Promise<Outcome> {
	const files = globSync([...run.files], { cwd: root }).sort();
	const isAlone = (file: string) => alone.some((pattern) => matchesGlob(file, pattern));
	return sum([
		await runMocha({ ...run, files: files.filter((file) => !isAlone(file)) }),
		await runMocha({ ...run, files: files.filter(isAlone), jobs: 1 }),
	]);
}

async function runMocha(run: Omit<SpecRun, 'alone'>): Promise<Outcome> {
	const { name, files, limitMs, testLimitMs, env, grep, jobs } = run;
	if (files.length === 0) return nothing;
	const args = [
		join(root, 'node_modules/mocha/bin/mocha.js'),
		...['--no-config', '--extension', 'ts', '--exit', '--forbid-only', '--slow', '300'],
		...['--require', './test/support/leaks.ts'],
		...['--reporter', join(import.meta.dirname, 'counting-reporter.mjs')],
		...(jobs > 1 && files.length > 1 && !isDebugged ? ['--parallel', '--jobs', String(jobs)] : []),
		...['--timeout', isDebugged ? '0' : String(testLimitMs)],
		...(grep === undefined ? [] : ['--grep', grep]),
		...files,
	];
	return runCounted({ name, args, limitMs, env });
}

/**
 * Runs a script that leaves its counts in the file named in PROWESS_RESULTS. One that dies before its end counts as one
 * failure more: a crash is never taken for a pass.
 */
export async function runCounted(run: {
	readonly name: string;
	readonly args: readonly string[];
	readonly limitMs: number;
	readonly env: NodeJS.ProcessEnv;
}): Promise<Outcome> {
	const folder = mkdtempSync(join(tmpdir(), 'prowess-results-'));
	const file = join(folder, 'results.json');
	try {
		const { problem } = await attempt({
			what: run.name,
			command: process.execPath,
			args: run.args,
			limitMs: run.limitMs,
			cwd: root,
			env: { ...run.env, PROWESS_RESULTS: file },
			shows: true,
			advice: '',
		});
		const { done, passed, failed, skipped } = readResults(file);
		if (done && (problem === undefined || failed > 0)) return { passed, failed, skipped, problems: [] };
		const why = problem ?? `${run.name} ended before all of its tests had run`;
		return { passed, failed: failed + 1, skipped, problems: [why] };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

interface Results {
	readonly done: boolean;
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

function readResults(file: string): Results {
	const none = { done: false, passed: 0, failed: 0, skipped: 0 };
	try {
		return { ...none, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Results>) };
	} catch {
		// It died before its first line.
		return none;
	}
}
