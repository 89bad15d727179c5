/** Plans as people and models write them: a title, and numbered steps with those that they wait for at their end, as "(after 1, 2)". */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { PlannedStep } from './goal.ts';

const AFTER = /\s*\(after (?:(nothing)|(\d{1,2}(?:, ?\d{1,2})*))\)$/i;

/** `number`: of the step. Without such words it waits for the step before it. */
export function readStep(words: string, number: number): PlannedStep {
	const found = AFTER.exec(words.trim());
	const text = words.trim().replace(AFTER, '');
	if (found === null) {
		return { text, after: number === 1 ? [] : [number - 1] };
	}
	return { text, after: found[2] === undefined ? [] : found[2].split(/, ?/).map(Number) };
}

const TITLE = /^#+\s*(.+)$/;
const NUMBERED = /^\s{0,3}(\d{1,2})[.)]\s+(.+)$/;

/** Reads "# title" and numbered steps; further lines belong to the step before them. Throws INVALID_PARAMS with the line. */
export function parseGoalPlan(plan: string): { readonly title: string; readonly steps: readonly PlannedStep[] } {
	let title: string | undefined;
	const steps: string[] = [];
	for (const [at, line] of plan.split('\n').entries()) {
		const [, named] = TITLE.exec(line) ?? [];
		const [, number, step] = NUMBERED.exec(line) ?? [];
		if (title === undefined && named !== undefined) {
			title = named.trim();
		} else if (step !== undefined) {
			if (Number(number) !== steps.length + 1) {
				const message = `line ${at + 1} of the plan: expected step ${steps.length + 1}; got ${number}`;
				throw new ProwessError('INVALID_PARAMS', message, {
					line: at + 1,
					said: text('Line {line} of the plan: expected step {wanted}; got {number}.', {
						line: at + 1,
						wanted: steps.length + 1,
						number: number ?? '',
					}),
				});
			}
			steps.push(step);
		} else if (line.trim() !== '') {
			const last = steps.pop();
			if (last === undefined) {
				const message = `line ${at + 1} of the plan: expected "# title" and then "1. step"`;
				throw new ProwessError('INVALID_PARAMS', message, {
					line: at + 1,
					said: text('Line {line} of the plan: expected "# title" and then "1. step".', { line: at + 1 }),
				});
			}
			steps.push(`${last}\n${line.trim()}`);
		}
	}
	return { title: title ?? '', steps: steps.map((words, at) => readStep(words, at + 1)) };
}
