/**
 * Runs steps, each to its end whatever the others did, and says how each went: the checks one after the other, and beside
 * them the specs.
 */

import { mostFlakyShare } from './limits.ts';
import { type FlakySpec, nothing, type Outcome, oneFailed, sum } from './outcome.ts';
import type { Context, Step } from './steps.ts';

interface StepsOptions extends Pick<Context, 'grep' | 'jobs' | 'seed' | 'hasSecondTry'> {
	/** Resolves with the environment for the specs of the step. */
	environmentOf(step: Step): Promise<NodeJS.ProcessEnv>;
	/** The spec files of the step that are wanted, or their patterns. */
	filesOf(step: Step): readonly string[];
}

export async function runSteps(steps: readonly Step[], options: StepsOptions): Promise<Outcome> {
	const { environmentOf, filesOf, ...context } = options;
	const ended = new Map<Step, EndedStep>();
	const inTurn = async (lane: readonly Step[]) => {
		for (const step of lane) {
			if (step.isCheck !== true) console.log(`\n── ${step.name} ──`);
			const env = await environmentOf(step);
			const started = performance.now();
			const outcome = await runSafely(step, { ...context, env, files: filesOf(step) });
			const seconds = (performance.now() - started) / 1000;
			for (const problem of outcome.problems) console.error(`✗ ${problem}`);
			if (step.isCheck === true) {
				console.log(`${outcome.failed === 0 ? '✓' : '✗'} ${step.name} (${seconds.toFixed(1)} s)`);
			}
			ended.set(step, { name: step.name, outcome, seconds });
		}
	};
	await Promise.all(
		[true, false].map((isCheck) => inTurn(steps.filter((step) => (step.isCheck ?? false) === isCheck))),
	);
	const inOrder = steps.flatMap((step) => ended.get(step) ?? []);
	printTable(inOrder);
	const total = sum(inOrder.map(({ outcome }) => outcome));
	printLongest(total.tookMs);
	printFlaky(total.flaky);
	const verdict = sum([total, judgeFlaky(total)]);
	for (const what of [...verdict.failures, ...verdict.problems]) console.log(`✗ ${what}`);
	return verdict.passed + verdict.failed > 0 ? verdict : oneFailed('nothing was run');
}

const mostLongFiles = 10;

interface EndedStep {
	readonly name: string;
	readonly outcome: Outcome;
	readonly seconds: number;
}

function printTable(ended: readonly EndedStep[]): void {
	console.log('\nstep          passed  failed  skipped  seconds');
	for (const { name, outcome, seconds } of ended) {
		const numbers = [outcome.passed, outcome.failed, outcome.skipped, seconds.toFixed(1)];
		const [passed = '', failed = '', skipped = '', took = ''] = numbers.map(String);
		console.log(
			`${name.padEnd(12)}${passed.padStart(8)}${failed.padStart(8)}${skipped.padStart(9)}${took.padStart(9)}`,
		);
	}
}

/** Prints the files that took longest: the first candidates for a shorter run. */
function printLongest(tookMs: Outcome['tookMs']): void {
	const longest = Object.entries(tookMs)
		.sort(([, a], [, b]) => b - a)
		.slice(0, mostLongFiles);
	if (longest.length === 0) return;
	console.log('\nfiles that took longest, in seconds:');
	for (const [file, ms] of longest) console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`);
}

function printFlaky(flaky: readonly FlakySpec[]): void {
	if (flaky.length === 0) return;
	console.log('\nflaky: passed in one of two tries. Most often it is a fault of the product: look into each.');
	for (const { title, file, pictures } of flaky) {
		console.log(`~ ${title} (${file})`);
		for (const [index, shown] of pictures.entries()) {
			const which = index === 0 ? 'first try: ' : 'second try:';
			console.log(`    ${which} ${shown.join(', ') || 'no picture'}`);
		}
	}
}

/** Counts a file once: its specs often stand on each other, and then the first that fails takes the rest with it. */
function judgeFlaky({ flaky, passed }: Outcome): Outcome {
	const most = Math.max(2, Math.round(passed * mostFlakyShare));
	const files = new Set(flaky.map(({ file }) => file)).size;
	if (files <= most) return nothing;
	return oneFailed(`${files} files have flaky specs; of ${passed} specs at most ${most} may`);
}

/** A defect of a step itself is its failure and does not stop the others. */
async function runSafely(step: Step, context: Context): Promise<Outcome> {
	try {
		return await step.run(context);
	} catch (error) {
		return oneFailed(
			`the step ${step.name} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
		);
	}
}
