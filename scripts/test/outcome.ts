import { attempt, type Run } from '../setup/run.mjs';
import { StepFailed } from '../setup/step-failed.mjs';
import type { SpecResults } from './spec-results.ts';

/** Outcome of a step. A check counts as one; a run of specs counts each of them. */
export interface Outcome {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	/** The failed specs by title and file. */
	readonly failures: readonly string[];
	/** Problems beside the failed specs. */
	readonly problems: readonly string[];
	/** Specs among the passed that needed a second try. */
	readonly flaky: readonly FlakySpec[];
	/** Duration of the specs and hooks of each file, in milliseconds. */
	readonly tookMs: Readonly<Record<string, number>>;
}

/** A spec that passed in one of two tries. */
export interface FlakySpec {
	readonly title: string;
	/** The spec file, relative to the repository. */
	readonly file: string;
	/** Pictures of the screen, for each try: paths relative to the repository where they lie in it. */
	readonly pictures: readonly [first: readonly string[], second: readonly string[]];
}

export const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], problems: [], flaky: [], tookMs: {} };
export const onePassed: Outcome = { ...nothing, passed: 1 };

export function oneFailed(problem: string): Outcome {
	return { ...nothing, failed: 1, problems: [problem] };
}

export function sum(outcomes: readonly Outcome[]): Outcome {
	return outcomes.reduce(
		(total, one) => ({
			passed: total.passed + one.passed,
			failed: total.failed + one.failed,
			skipped: total.skipped + one.skipped,
			failures: [...total.failures, ...one.failures],
			problems: [...total.problems, ...one.problems],
			flaky: [...total.flaky, ...one.flaky],
			tookMs: { ...total.tookMs, ...one.tookMs },
		}),
		nothing,
	);
}

/** A run of specs that has ended. */
export interface EndedRun extends SpecResults {
	/** Why it did not end as its specs say. `undefined` if it did. */
	readonly problem: string | undefined;
}

/** Counts the specs of a run. A run that died before its end counts as one failure more. */
export function outcomeOf({ specs, problem, tookMs }: EndedRun): Outcome {
	const count = (wanted: string) => specs.filter(({ state }) => state === wanted).length;
	return {
		passed: count('passed'),
		failed: count('failed') + (problem === undefined ? 0 : 1),
		skipped: count('skipped'),
		failures: specs.flatMap(({ state, title, file }) =>
			state === 'failed' ? [`${title} (${file || 'every file'})`] : [],
		),
		problems: problem === undefined ? [] : [problem],
		flaky: [],
		tookMs,
	};
}

/** A check is a program that ends with 0, or prints what is wrong. */
export async function check(run: Omit<Run, 'shows'>): Promise<Outcome> {
	const { output, problem } = await attempt(run);
	if (problem === undefined) return onePassed;
	console.error(output);
	return oneFailed(`${problem}. ${run.advice}`);
}

/** Any other work that counts as one check: what it throws is its failure. */
export async function checkThat(work: () => Promise<unknown>): Promise<Outcome> {
	try {
		await work();
		return onePassed;
	} catch (error) {
		if (!(error instanceof StepFailed))
			return oneFailed(error instanceof Error ? (error.stack ?? error.message) : String(error));
		if (error.output !== '') console.error(error.output);
		return oneFailed(`${error.message}. ${error.advice}`);
	}
}
