/** The steps of the test run, in their order. Each says what it needs to have been set up, and how it is done. */

import { existsSync, globSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { ensureBundles } from '../setup/bundles.mjs';
import { artifacts, compiled, root, tools } from '../setup/paths.mjs';
import { type DesktopVscode, downloadFolder, ensureDesktopVscode } from '../setup/desktop-vscode.ts';
import { contentsOf, stateOf, unlessStamped } from '../setup/stamp.mjs';
import { ensureSpecPrograms } from '../setup/spec-programs.mjs';
import { ensureVsix } from '../setup/vsix.mjs';
import { limitsMs, testLimitsMs } from './limits.ts';
import { check, checkThat, nothing, onePassed, type Outcome, outcomeOf, sum } from './outcome.ts';
import { withSecondTry } from './second-try.ts';
import { countingVscodeStarts } from './vscode-starts.ts';
import { artifactsIn, inSecondTry, runNoted, runSpecs, sideBySide, sideBySideWaiting, titlesOf } from './specs.ts';

type SetUp = 'bubblewrap' | 'chromium' | 'mcpServers' | 'postgres' | 'vscode';

export interface Context {
	readonly env: NodeJS.ProcessEnv;
	readonly grep: string | undefined;
	/** Number of spec files that run at the same time; undefined: as many as suit the step. */
	readonly jobs: number | undefined;
	/** The spec files to run, or their patterns. */
	readonly files: readonly string[];
	/** Runs spec files, and the specs of each suite, in the order that this number gives. Default: by name, as they stand. */
	readonly seed?: number | undefined;
	/** True to try a suite that fails once more. */
	readonly hasSecondTry: boolean;
}

export interface Step {
	readonly name: string;
	/** Names in `--only` that stand for it too; with `on demand` it runs only when it is named. */
	readonly groups: readonly string[];
	readonly needs: readonly SetUp[];
	/** Patterns of the spec files it runs. */
	readonly files?: readonly string[];
	/** Set when the step reads the repository and nothing else; such a step goes on beside the others. */
	readonly isCheck?: true;
	run(context: Context): Promise<Outcome>;
}

const node = process.execPath;
/** Specs of these steps start the programs as they were built (test/support/programs.ts). */
export const built = { PROWESS_BUILT: '1' };
/** Spec files that take longest. */
const longest = [
	'test/integration/executions/executors.test.ts',
	'test/webview/answers.test.ts',
	'test/integration/mcp/hostile-servers.test.ts',
	'test/integration/approvals/usual-tasks.test.ts',
	'test/integration/threads/server-killed.test.ts',
	'test/integration/executions/executors-in-time.test.ts',
	'test/integration/sandbox/escapes.test.ts',
	'test/integration/cli/kept-code.test.ts',
	'test/integration/threads/second-process.test.ts',
	'test/webview/several-approvals.test.ts',
	'test/integration/marketplace/marketplace-processes.test.ts',
] as const;
/** The same of those in the workbench. */
const longestInWorkbench = [
	'test/vscode/ui/capabilities.test.ts',
	'test/vscode/ui/edits.test.ts',
	'test/vscode/ui/plain-chat.test.ts',
	'test/vscode/ui/kept.test.ts',
	'test/vscode/ui/freely.test.ts',
	'test/vscode/ui/interruption.test.ts',
	'test/vscode/ui/pool.test.ts',
	'test/vscode/ui/one-window.test.ts',
	'test/vscode/ui/chat.test.ts',
	'test/vscode/ui/attached.test.ts',
	'test/vscode/ui/palette.test.ts',
] as const;
const hostSpecs = 'test/vscode/host/**/*.test.ts';
const bin = (path: string) => join(root, 'node_modules', path);

export const steps: readonly Step[] = [
	{
		name: 'types',
		groups: ['check'],
		needs: [],
		isCheck: true,
		run: ({ env }) => unlessPassed('types', () => checkTypes(env)),
	},
	{
		name: 'lint',
		groups: ['check'],
		needs: [],
		isCheck: true,
		run: async ({ env }) =>
			sum([await unlessPassed('lint', () => checkLint(env)), await unlessPassed('texts', () => checkTexts(env))]),
	},
	{
		name: 'format',
		groups: ['check'],
		needs: [],
		isCheck: true,
		run: ({ env }) => checkFormat(env, ['.']),
	},
	{
		name: 'stale',
		groups: ['check'],
		needs: [],
		isCheck: true,
		run: ({ env }) => unlessPassed('stale', () => checkGenerated(env)),
	},
	{
		name: 'exports',
		groups: ['check'],
		needs: [],
		isCheck: true,
		run: ({ env }) => unlessPassed('exports', () => checkExports(env)),
	},
	{
		name: 'house',
		groups: ['check'],
		needs: [],
		isCheck: true,
		run: ({ env }) => unlessPassed('house', () => checkHouse(env)),
	},
	{
		name: 'build',
		groups: ['integration', 'vscode', 'host', 'ui'],
		needs: [],
		run: () => checkThat(ensureBuilt),
	},
	{
		name: 'package',
		groups: ['integration', 'vscode', 'ui'],
		needs: [],
		run: () => checkThat(() => ensureVsix(node)),
	},
	{
		name: 'unit',
		groups: ['check'],
		needs: [],
		files: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
		run: ({ env, grep, jobs, files, seed, hasSecondTry }) =>
			runSpecs({
				seed,
				hasSecondTry,
				name: 'the unit tests',
				files,
				limitMs: limitsMs.unit,
				testLimitMs: testLimitsMs.unit,
				env,
				grep,
				jobs: jobs ?? sideBySide,
			}),
	},
	{
		name: 'integration',
		groups: [],
		needs: ['bubblewrap', 'chromium', 'mcpServers', 'postgres'],
		files: ['test/*.test.ts', 'test/!(vscode)/**/*.test.ts'],
		run: ({ env, grep, jobs, files, seed, hasSecondTry }) =>
			runSpecs({
				seed,
				hasSecondTry,
				name: 'the integration tests',
				files,
				limitMs: limitsMs.integration,
				testLimitMs: testLimitsMs.integration,
				env: { ...env, ...built },
				grep,
				jobs: jobs ?? sideBySideWaiting,
				first: longest,
			}),
	},
	{
		name: 'host',
		groups: ['vscode'],
		needs: ['chromium', 'vscode'],
		files: [hostSpecs],
		run: (context) => runInExtensionHost(context),
	},
	{
		name: 'ui',
		groups: ['vscode'],
		needs: ['bubblewrap', 'chromium', 'mcpServers', 'vscode'],
		files: ['test/vscode/ui/**/*.test.ts'],
		run: ({ env, grep, jobs, files, seed, hasSecondTry }) =>
			countingVscodeStarts(env, (counted) =>
				runSpecs({
					seed,
					hasSecondTry,
					name: 'the tests in the workbench',
					files,
					hooks: ['./test/vscode/harness/last-seen.ts'],
					limitMs: limitsMs.ui,
					testLimitMs: testLimitsMs.ui,
					env: counted,
					grep,
					jobs: jobs ?? sideBySideWaiting,
					first: longestInWorkbench,
				}),
			),
	},
	{
		// Where a desktop VS Code can be had: not on every machine, so it is asked for by name.
		name: 'desktop',
		groups: ['on demand'],
		needs: [],
		run: (context) => runInDesktop(context),
	},
	{
		name: 'soak',
		groups: ['on demand'],
		needs: ['bubblewrap', 'chromium', 'postgres', 'vscode'],
		files: ['test/**/*.soak.ts'],
		run: async ({ env, grep, files }) =>
			sum([
				await checkThat(ensureBuilt),
				await checkThat(() => ensureVsix(node)),
				await runSpecs({
					name: 'the soak tests',
					files,
					hooks: ['./test/vscode/harness/last-seen.ts'],
					limitMs: limitsMs.soak,
					testLimitMs: testLimitsMs.soak,
					env: { ...env, ...built },
					grep,
					jobs: 1,
				}),
			]),
	},
];

/** Builds what specs start. */
async function ensureBuilt(): Promise<void> {
	await ensureBundles(node, { isProduction: true });
	await ensureSpecPrograms();
}

async function runInDesktop({ env, grep }: Context): Promise<Outcome> {
	let found: DesktopVscode | undefined;
	const download = async () => {
		const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
		return downloadAndUnzipVSCode({ cachePath: downloadFolder(tools), timeout: limitsMs.download });
	};
	const prepared = sum([
		await checkThat(async () => (found = await ensureDesktopVscode({ env, platform: process.platform, download }))),
		await checkThat(() => ensureBundles(node, { isProduction: true })),
	]);
	if (found === undefined || prepared.failed > 0) return prepared;
	const script = [join(root, 'test/vscode/harness/run-desktop-tests.ts'), hostSpecs];
	const [command = node, ...args] = [
		...found.display,
		node,
		...script,
		...(grep === undefined ? [] : ['--grep', grep]),
	];
	const ended = await runNoted({
		name: 'the tests in a desktop VS Code',
		command,
		args,
		limitMs: limitsMs.desktop,
		env: { ...env, PROWESS_VSCODE: found.program },
	});
	return sum([prepared, outcomeOf(ended)]);
}

async function runInExtensionHost({ env, grep, files, hasSecondTry }: Context): Promise<Outcome> {
	const run = (title: string | undefined, environment: NodeJS.ProcessEnv) =>
		runNoted({
			name: 'the tests in the extension host',
			args: [
				join(root, 'test/vscode/harness/run-host-tests.ts'),
				...(title === undefined ? [] : ['--grep', title]),
				...files,
			],
			limitMs: limitsMs.host,
			env: environment,
		});
	const first = await run(grep, env);
	if (!hasSecondTry) return outcomeOf(first);
	return withSecondTry({
		first,
		artifacts: artifactsIn(env),
		again: (suites) => run(grep ?? titlesOf(suites), inSecondTry(env)),
	});
}

/** Does not repeat a check that has passed while every file of the repository was as it is now. */
async function unlessPassed(name: string, check: () => Promise<Outcome>): Promise<Outcome> {
	let outcome: Outcome = onePassed;
	const failed = new Error(`${name} failed`);
	const work = async () => {
		outcome = await check();
		if (outcome.failed > 0) throw failed;
	};
	await unlessStamped(`passed-${name}`, stateOf(sources()), work, () => true).catch((error: unknown) => {
		if (error !== failed) throw error;
	});
	return outcome;
}

/** Names in the repository of what is made in it. */
const made = ['.git', 'node_modules', relative(root, tools), relative(root, artifacts), 'dist'];

/** All that lies in the repository, but what is made in it. */
function sources(): string[] {
	return readdirSync(root).filter((name) => !made.includes(name));
}

/** Lints these files. Default: all. */
export function checkLint(env: NodeJS.ProcessEnv, files: readonly string[] = []): Promise<Outcome> {
	return check({
		what: 'the lint',
		command: node,
		args: [bin('oxlint/bin/oxlint'), '--deny-warnings', '--no-error-on-unmatched-pattern', ...files],
		cwd: root,
		env,
		limitMs: limitsMs.lint,
		advice: 'The rules are in oxlint.config.ts, the arrows in scripts/boundaries.ts.',
	});
}

/** Checks lines and links of documents, and the comments of covered folders. */
export function checkTexts(env: NodeJS.ProcessEnv): Promise<Outcome> {
	return check({
		what: 'the check of texts',
		command: node,
		args: [join(root, 'scripts/check-texts.ts')],
		cwd: root,
		env,
		limitMs: limitsMs.stale,
		advice: 'CONTRIBUTING.md says how we write; the checks are in scripts/texts.',
	});
}

export function checkFormat(env: NodeJS.ProcessEnv, files: readonly string[]): Promise<Outcome> {
	return check({
		what: 'the format',
		command: node,
		args: [bin('oxfmt/bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...files],
		cwd: root,
		env,
		limitMs: limitsMs.format,
		advice: 'Run `npm run format`.',
	});
}

/**
 * Checks the types. Each project sees only its own ambient types; all are checked in one run, so that each file is read
 * and checked once. A file that has not changed since the last run, nor anything it imports, is not checked again.
 */
export async function checkTypes(env: NodeJS.ProcessEnv): Promise<Outcome> {
	// Forget the notes of tsc when its options or tsc itself change: they would outlive both.
	const options = globSync(['tsconfig*.json', '*/**/tsconfig.json', 'package-lock.json'], {
		cwd: root,
		// The specs in the workbench leave an installed extension, which has one of its own.
		exclude: made.map((name) => `${name}/**`),
	});
	const notes = join(tools, 'tsc');
	const forget = async () => rmSync(notes, { recursive: true, force: true });
	await unlessStamped('types', contentsOf(options.sort().map((file) => join(root, file))), forget, () => true);
	return check({
		what: 'the type check',
		command: node,
		args: [bin('typescript/bin/tsc'), '-b', '.'],
		cwd: root,
		// The compiler is written in Go, and would spend a third of its time on saving memory.
		env: { ...env, GOGC: '400' },
		limitMs: limitsMs.types,
		advice: 'TS6307 is an import of a folder or a wing that this one may not import (scripts/boundaries.ts).',
	});
}

export function checkGenerated(env: NodeJS.ProcessEnv): Promise<Outcome> {
	const generator = join(root, 'scripts/generate.ts');
	if (!existsSync(generator)) return Promise.resolve(nothing);
	return check({
		what: 'the check of generated files',
		command: node,
		args: [generator, '--check'],
		cwd: root,
		env,
		limitMs: limitsMs.stale,
		advice: 'Run `npm run generate`.',
	});
}

export function checkExports(env: NodeJS.ProcessEnv): Promise<Outcome> {
	return check({
		what: 'the check of unused exports',
		command: node,
		args: [join(root, 'scripts/unused-exports.ts')],
		cwd: root,
		env,
		limitMs: limitsMs.exports,
		advice: 'Take the word `export` off, or delete what its own file does not use either.',
	});
}

function checkHouse(env: NodeJS.ProcessEnv): Promise<Outcome> {
	return check({
		what: 'the figures of the house',
		command: node,
		args: [join(root, 'scripts/house.ts')],
		cwd: root,
		env,
		limitMs: limitsMs.exports,
		advice: '`npm run house -- --list …` shows what stands behind a figure.',
	});
}

/** Returns the environment of the specs and their children. */
export function testEnvironment(): NodeJS.ProcessEnv {
	return {
		...process.env,
		// So that `node` in a test is the pinned one.
		PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
		PROWESS_ARTIFACTS: artifacts,
		// Hundreds of processes load the same sources.
		NODE_COMPILE_CACHE: compiled,
	};
}
