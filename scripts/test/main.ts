/** Runs the wanted steps, each to its end whatever the others did, and ends with the line `N passed, N failed`. */

import { globSync, mkdirSync, rmSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBubblewrap } from '../setup/bubblewrap.mjs';
import { ensureChromium } from '../setup/chromium.mjs';
import { artifacts, compiled, root } from '../setup/paths.mjs';
import { explain, StepFailed } from '../setup/step-failed.mjs';
import { ensureVscode } from '../setup/vscode.mjs';
import { type Outcome, oneFailed, sum } from './outcome.ts';
import { sideBySide } from './specs.ts';
import { type Step, steps, testEnvironment } from './steps.ts';

try {
	const outcome = await main();
	console.log(`\n${outcome.passed} passed, ${outcome.failed} failed`);
	process.exitCode = outcome.failed === 0 ? 0 : 1;
} catch (error) {
	explain(error);
	console.log('\n0 passed, 1 failed');
	process.exitCode = 1;
}

async function main(): Promise<Outcome> {
	const { values, positionals: specs } = parseArgs({
		allowPositionals: true,
		options: {
			only: { type: 'string', multiple: true, default: [] },
			check: { type: 'boolean', default: false },
			grep: { type: 'string' },
			jobs: { type: 'string', default: String(sideBySide) },
		},
	});
	const jobs = Number(values.jobs);
	if (!Number.isInteger(jobs) || jobs < 1) {
		throw new StepFailed(`--jobs: expected a whole number from 1; got "${values.jobs}"`, {
			advice: '1 runs spec files one after the other.',
		});
	}
	const named = [...values.only.flatMap((names) => names.split(',')), ...(values.check ? ['check'] : [])];
	const given = specs.map((path) => relative(root, resolve(path)).replaceAll(sep, '/'));
	const running = stepsThatRun(given);
	const wanted = choose(named.length === 0 ? running : named);
	if (given.length > 0 && !wanted.some(({ name }) => running.includes(name))) {
		const advice = `They belong to ${running.join(', ')}.`;
		throw new StepFailed(`${named.join(', ')} does not run ${given.join(', ')}`, { advice });
	}
	const settingUp = setUp(wanted);
	// Who waits for it says what is wrong.
	settingUp.catch(() => {});
	for (const earlier of [artifacts, compiled]) rmSync(earlier, { recursive: true, force: true });
	mkdirSync(artifacts, { recursive: true });

	const outcomes: { name: string; outcome: Outcome; seconds: number }[] = [];
	for (const step of wanted) {
		console.log(`\n── ${step.name} ──`);
		// Checks need nothing but the repository and go on beside the set-up; tests have the machine to themselves.
		const isCheck = step.files === undefined && step.needs.length === 0;
		const env = isCheck ? testEnvironment() : await settingUp;
		const started = performance.now();
		const files = given.length === 0 ? (step.files ?? []) : filesOf(step, given);
		const outcome = await runSafely(step, { env, grep: values.grep, jobs, files });
		for (const problem of outcome.problems) console.error(`✗ ${problem}`);
		outcomes.push({ name: step.name, outcome, seconds: (performance.now() - started) / 1000 });
	}

	console.log('\nstep          passed  failed  skipped  seconds');
	for (const { name, outcome, seconds } of outcomes) {
		const numbers = [outcome.passed, outcome.failed, outcome.skipped, seconds.toFixed(1)];
		const [passed = '', failed = '', skipped = '', took = ''] = numbers.map(String);
		console.log(
			`${name.padEnd(12)}${passed.padStart(8)}${failed.padStart(8)}${skipped.padStart(9)}${took.padStart(9)}`,
		);
	}
	for (const problem of outcomes.flatMap(({ outcome }) => outcome.problems)) console.log(`✗ ${problem}`);
	const total = sum(outcomes.map(({ outcome }) => outcome));
	return total.passed + total.failed > 0 ? total : oneFailed('nothing was run');
}

function choose(names: readonly string[]): Step[] {
	const known = new Set(steps.flatMap(({ name, groups }) => [name, ...groups]));
	for (const name of names) {
		if (known.has(name)) continue;
		throw new StepFailed(`there is no step "${name}"`, { advice: `Choose among ${[...known].sort().join(', ')}.` });
	}
	return steps.filter(({ name, groups }) =>
		names.length === 0
			? !groups.includes('on demand')
			: names.includes(name) || groups.some((group) => names.includes(group)),
	);
}

/** The names of the steps that the spec files given on the command line belong to. */
function stepsThatRun(given: readonly string[]): string[] {
	const running = steps.filter((step) => filesOf(step, given).length > 0);
	const strays = given.filter((file) => !running.some((step) => filesOf(step, [file]).length > 0));
	if (strays.length === 0) return running.map(({ name }) => name);
	throw new StepFailed(`no step runs ${strays.join(', ')}`, {
		advice: 'Name spec files, such as src/base/emitter.test.ts.',
	});
}

function filesOf({ files = [] }: Step, given: readonly string[]): string[] {
	return given.length === 0 ? [] : globSync([...files], { cwd: root }).filter((file) => given.includes(file));
}

async function setUp(wanted: readonly Step[]): Promise<NodeJS.ProcessEnv> {
	const needs = new Set(wanted.flatMap((step) => step.needs));
	const env = testEnvironment();
	if (needs.has('bubblewrap')) {
		// Empty: there is none, wherever a spec would look for it.
		env['PROWESS_TEST_BWRAP'] ??= (await ensureBubblewrap()) ?? '';
	}
	if (needs.has('chromium')) env['PROWESS_CHROMIUM'] = await ensureChromium();
	if (needs.has('vscode')) env['PROWESS_VSCODE_SERVER'] = await ensureVscode(process.execPath);
	return env;
}

/** A defect of a step itself is its failure and does not stop the others. */
async function runSafely(step: Step, context: Parameters<Step['run']>[0]): Promise<Outcome> {
	try {
		return await step.run(context);
	} catch (error) {
		return oneFailed(
			`the step ${step.name} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
		);
	}
}
