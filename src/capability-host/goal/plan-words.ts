/** Plans as people and models write them: a title, and numbered steps with those that they wait for at their end, as "(after 1, 2)". */
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
