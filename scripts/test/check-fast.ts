/**
 * `npm run check:fast`: what is likely to be wrong with what has changed since the branch left `main`, in seconds. Types of
 * the changed projects and of those that import them, lint and format of the changed files, the unit specs beside them,
 * generated files. `npm test` decides.
 *   npm run check:fast -- --since HEAD     only what is not committed
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../setup/paths.mjs';
import { explain, StepFailed } from '../setup/step-failed.mjs';
import { nothing, type Outcome, sum } from './outcome.ts';
import { sideBySide } from './specs.ts';
import {
	checkExports,
	checkFormat,
	checkGenerated,
	checkLint,
	checkTexts,
	checkTypes,
	steps,
	testEnvironment,
} from './steps.ts';

const gitLimitMs = 20_000;
const linted = /\.(?:[cm]?js|tsx?)$/;

try {
	const { values } = parseArgs({ options: { since: { type: 'string' } } });
	const files = changedFiles(values.since ?? whereTheBranchBegan());
	const outcome = await checkChanged(files);
	for (const what of [...outcome.failures, ...outcome.problems]) console.log(`✗ ${what}`);
	console.log(`\n${outcome.passed} passed, ${outcome.failed} failed`);
	process.exitCode = outcome.failed === 0 ? 0 : 1;
} catch (error) {
	explain(error);
	console.log('\n0 passed, 1 failed');
	process.exitCode = 1;
}

async function checkChanged(files: readonly string[]): Promise<Outcome> {
	console.log(`${files.length} changed files`);
	if (files.length === 0) return nothing;
	const env = testEnvironment();
	const specs = unitSpecsOf(files);
	const unit = steps.find(({ name }) => name === 'unit');
	const sources = files.filter((file) => linted.test(file));
	const inTurn = async () =>
		sum([
			sources.length === 0 ? nothing : await timed('lint', () => checkLint(env, sources)),
			await timed('texts', () => checkTexts(env)),
			await timed('format', () => checkFormat(env, files)),
			await timed('stale', () => checkGenerated(env)),
			await timed('exports', () => checkExports(env)),
			unit === undefined || specs.length === 0
				? nothing
				: await unit.run({ env, grep: undefined, jobs: sideBySide, files: specs, hasSecondTry: false }),
		]);
	return sum(await Promise.all([timed('types', () => checkTypes(env)), inTurn()]));
}

async function timed(name: string, work: () => Promise<Outcome>): Promise<Outcome> {
	const started = performance.now();
	const outcome = await work();
	console.log(`${outcome.failed === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
	return outcome;
}

/** The specs among the changed files, and those that have the name of one. */
function unitSpecsOf(files: readonly string[]): string[] {
	const patterns = steps.find(({ name }) => name === 'unit')?.files ?? [];
	const beside = files.map((file) => file.replace(/(?:\.test)?\.(?:tsx?|mjs)$/, '.test.ts'));
	return [...new Set(beside)].filter(
		(file) => existsSync(join(root, file)) && patterns.some((pattern) => matchesGlob(file, pattern)),
	);
}

/** Returns the files that differ from that commit and still exist: committed, staged, unstaged, or new to git. */
function changedFiles(since: string): string[] {
	const tracked = git(['diff', '--name-only', '--diff-filter=d', '-z', since, '--']);
	const others = git(['ls-files', '--others', '--exclude-standard', '-z']);
	return [...tracked.split('\0'), ...others.split('\0')].filter((file) => file !== '');
}

function whereTheBranchBegan(): string {
	for (const main of ['origin/main', 'main']) {
		try {
			return git(['merge-base', 'HEAD', main]).trim();
		} catch {
			// No such branch here: try the next one.
		}
	}
	return 'HEAD';
}

function git(args: readonly string[]): string {
	try {
		return execFileSync('git', [...args], { cwd: root, encoding: 'utf8', timeout: gitLimitMs, stdio: 'pipe' });
	} catch (error) {
		const output = error instanceof Error ? error.message : String(error);
		throw new StepFailed(`git ${args[0]} failed`, { advice: 'Name a commit with --since.', output, cause: error });
	}
}
