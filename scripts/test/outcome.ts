import { attempt, type Run } from '../setup/run.mjs';
import { StepFailed } from '../setup/step-failed.mjs';

/** How a step went. A check counts as one; a run of specs counts each of them. */
export interface Outcome {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	readonly problems: readonly string[];
}

export const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, problems: [] };
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
			problems: [...total.problems, ...one.problems],
		}),
		nothing,
	);
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
