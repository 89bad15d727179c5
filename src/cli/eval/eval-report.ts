/** Report of an evaluation: as JSON for the next comparison, as text for people. */
import * as z from '../../protocol/text/zod.ts';
import type { EvaluatedTask } from './run-task.ts';
import type { EvalTask } from './task.ts';

const count = z.int().nonnegative();

export const EvalReport = z.object({
	/** Form of this file. */
	format: z.literal(1),
	version: z.string(),
	model: z.string(),
	/** Most tries of a task. */
	tries: z.int().positive(),
	tasks: z.array(
		z.object({
			name: z.string(),
			passedAt: z.int().positive().nullable(),
			tries: z.array(z.string()),
			requests: count,
			inputTokens: count,
			outputTokens: count,
			cost: z.number().nonnegative(),
			questions: count,
			denied: count,
			isLedgerIntact: z.boolean(),
		}),
	),
	/** Tasks that were not worked on to their end, because the evaluation was stopped. */
	left: z.array(z.string()).default([]),
	/** Time of each task; apart from all else, because no two runs take the same. */
	seconds: z.record(z.string(), z.number().nonnegative()),
});
export type EvalReport = z.infer<typeof EvalReport>;

/** `tasks`: all that were to be worked on; `evaluated`: those that came to their end. */
export function createEvalReport(
	about: Pick<EvalReport, 'version' | 'model' | 'tries'>,
	tasks: readonly Pick<EvalTask, 'name'>[],
	evaluated: readonly EvaluatedTask[],
): EvalReport {
	const ended = new Set(evaluated.map(({ name }) => name));
	const sorted = evaluated.toSorted((a, b) => (a.name < b.name ? -1 : 1));
	return {
		format: 1,
		...about,
		tasks: EvalReport.shape.tasks.parse(sorted),
		left: tasks.flatMap(({ name }) => (ended.has(name) ? [] : [name])),
		seconds: Object.fromEntries(sorted.map(({ name, seconds }) => [name, seconds])),
	};
}

export interface EvalSums {
	readonly tasks: number;
	/** Passed with the first try, and with any. */
	readonly passedFirst: number;
	readonly passed: number;
	readonly requests: number;
	readonly tokens: number;
	readonly cost: number;
	readonly questions: number;
	readonly denied: number;
	readonly seconds: number;
}

export function sumEvalReport({ tasks, seconds }: EvalReport): EvalSums {
	const addUp = (of: (task: EvalReport['tasks'][number]) => number) => tasks.reduce((all, task) => all + of(task), 0);
	return {
		tasks: tasks.length,
		passedFirst: tasks.filter(({ passedAt }) => passedAt === 1).length,
		passed: tasks.filter(({ passedAt }) => passedAt !== null).length,
		requests: addUp(({ requests }) => requests),
		tokens: addUp(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
		cost: addUp(({ cost }) => cost),
		questions: addUp(({ questions }) => questions),
		denied: addUp(({ denied }) => denied),
		seconds: Object.values(seconds).reduce((all, each) => all + each, 0),
	};
}

export function formatEvalTask({ name, passedAt, tries, seconds }: EvaluatedTask): string {
	const how =
		passedAt === null ? `failed: ${tries.at(-1) ?? ''}` : passedAt === 1 ? 'passed' : `passed at try ${passedAt}`;
	return `${passedAt === null ? '✗' : '✓'} ${name} (${seconds} s) ${how}`;
}

export function formatEvalSums(report: EvalReport): string {
	const sums = sumEvalReport(report);
	const formatShare = (part: number) =>
		`${part} of ${sums.tasks} (${Math.round((100 * part) / Math.max(1, sums.tasks))} %)`;
	const damaged = report.tasks.filter(({ isLedgerIntact }) => !isLedgerIntact).map(({ name }) => name);
	return [
		...(report.left.length === 0 ? [] : [`stopped before the end of: ${report.left.join(', ')}`]),
		`passed with the first try: ${formatShare(sums.passedFirst)}`,
		...(report.tries > 1 ? [`passed within ${report.tries} tries: ${formatShare(sums.passed)}`] : []),
		`requests: ${sums.requests}, tokens: ${sums.tokens}, US dollars: ${sums.cost.toFixed(2)}, seconds: ${Math.round(sums.seconds)}`,
		`questions that nobody answered: ${sums.questions}, ops denied: ${sums.denied}`,
		damaged.length === 0 ? 'every ledger verified' : `the ledger does not verify: ${damaged.join(', ')}`,
	].join('\n');
}
