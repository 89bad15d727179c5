/** Finds the faults of a plan before any step of it runs. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { PlannedStep } from './goal.ts';
import { goalLimits } from './limits.ts';

/** Throws INVALID_PARAMS with all that is wrong, in the order of the steps. */
export function checkPlanSteps(steps: readonly PlannedStep[]): void {
	const problems = [...wrongCount(steps), ...steps.flatMap((step, at) => wrongStep(step, at + 1, steps))];
	if (problems.length === 0 && !canEnd(steps)) {
		problems.push('steps wait for each other, so none of them can begin');
	}
	if (problems.length > 0) {
		throw new ProwessError('INVALID_PARAMS', `the plan cannot be carried out: ${problems.join('; ')}`, {
			said: text('The plan cannot be carried out: {problems}', { problems: problems.join('; ') }),
		});
	}
}

function wrongCount({ length }: readonly PlannedStep[]): string[] {
	return length === 0 || length > goalLimits.mostSteps
		? [`it has ${length} steps, expected 1 to ${goalLimits.mostSteps}`]
		: [];
}

function wrongStep({ text, after }: PlannedStep, number: number, steps: readonly PlannedStep[]): string[] {
	const same = steps.findIndex((other) => other.text.trim().toLowerCase() === text.trim().toLowerCase()) + 1;
	return [
		...(text.trim() === '' ? [`step ${number} says nothing`] : []),
		...(text.length > goalLimits.stepChars ? [`step ${number} has more than ${goalLimits.stepChars} characters`] : []),
		...(same < number ? [`step ${number} says the same as step ${same}`] : []),
		...after.filter((other) => other === number).map(() => `step ${number} waits for itself`),
		...after
			.filter((other) => !Number.isInteger(other) || other < 1 || other > steps.length)
			.map((other) => `step ${number} waits for step ${other}, which is not there`),
	];
}

function canEnd(steps: readonly PlannedStep[]): boolean {
	const done = new Set<number>();
	for (let before = -1; before !== done.size;) {
		before = done.size;
		for (const [at, { after }] of steps.entries()) {
			if (after.every((number) => done.has(number))) {
				done.add(at + 1);
			}
		}
	}
	return done.size === steps.length;
}
