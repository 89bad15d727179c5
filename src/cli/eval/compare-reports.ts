/** Compares two reports of the same set. */
import { type EvalReport, type EvalSums, sumEvalReport } from './eval-report.ts';

interface ReportComparison {
	/** Lines for people. */
	readonly lines: readonly string[];
	/** True when a task fails now that passed before, is gone, or was not evaluated. */
	readonly isWorse: boolean;
}

type TaskEnd = EvalReport['tasks'][number]['passedAt'];

export function compareReports(before: EvalReport, after: EvalReport): ReportComparison {
	const ends = new Map<string, TaskEnd | 'left'>([
		...after.left.map((name) => [name, 'left'] as const),
		...after.tasks.map(({ name, passedAt }) => [name, passedAt] as const),
	]);
	const changed = before.tasks.flatMap(({ name, passedAt }) => {
		const now = ends.get(name);
		return now === passedAt ? [] : [{ name, was: passedAt, now }];
	});
	const known = new Set(before.tasks.map(({ name }) => name));
	const added = after.tasks.filter(({ name }) => !known.has(name));
	const lost = changed.filter(({ was, now }) => was !== null && typeof now !== 'number');
	const [left, right] = [sumEvalReport(before), sumEvalReport(after)];
	return {
		lines: [
			...changed.map(({ name, was, now }) => `${name}: ${describeEnd(was)} → ${describeEnd(now)}`),
			...added.map(({ name, passedAt }) => `${name}: new, ${describeEnd(passedAt)}`),
			...SUMS.map(([name, label]) => `${label}: ${roundHundredth(left[name])} → ${roundHundredth(right[name])}`),
		],
		isWorse: lost.length > 0,
	};
}

const SUMS = [
	['passedFirst', 'passed with the first try'],
	['passed', 'passed'],
	['requests', 'requests'],
	['tokens', 'tokens'],
	['cost', 'US dollars'],
	['questions', 'questions'],
	['denied', 'ops denied'],
	['seconds', 'seconds'],
] as const satisfies readonly (readonly [keyof EvalSums, string])[];

function describeEnd(end: TaskEnd | 'left' | undefined): string {
	if (end === 'left') return 'not evaluated';
	if (end === undefined) return 'gone';
	return end === null ? 'failed' : end === 1 ? 'passed' : `passed at try ${end}`;
}

function roundHundredth(value: number): number {
	return Math.round(value * 100) / 100;
}
