/**
 * Steps of a running capability, as the card of its call shows them: what it reports, each op that it or an execution
 * below it asks for, and each request of its sub-turn to a model. The host numbers them; only the newest are kept.
 */
import { ERROR_CODES } from '../errors/errors.ts';
import { SaidText } from '../text/said-text.ts';
import { inEnglish, text } from '../text/text.ts';
import * as z from '../text/zod.ts';

/** Steps that a card keeps. */
export const MAX_STEPS_KEPT = 100;
/** Characters of a text of a step; longer ones are cut. */
export const MAX_STEP_CHARS = 300;
/** Characters of the facts of a step's error as JSON; larger ones are left out. */
export const MAX_STEP_FACTS_CHARS = 600;

const StepStatus = z.enum([
	'waiting',
	'running',
	'done',
	'failed',
	'denied',
	'cancelled',
	/** The host or the server ended before the outcome was told. */
	'interrupted',
	/** The turn ended, and the execution went on without anybody who follows it. */
	'unfollowed',
]);
export type StepStatus = z.infer<typeof StepStatus>;

export const RunStep = z.object({
	/** Place among the steps of its card, from 1. Between two that are kept, others may be left out. */
	id: z.int().positive(),
	/** `end`: of an execution that nobody waits for. */
	kind: z.enum(['report', 'op', 'model', 'end']),
	at: z.iso.datetime(),
	/** Execution below that of the card, or step of a script, which it belongs to; absent: it is the card's own. */
	from: z.string().optional(),
	status: StepStatus,
	/** Report as it was given, or a title in English, as one line; redacted and cut. */
	title: z.string(),
	/** Title for the reader's language. */
	said: SaidText.optional(),
	/** Name of the op. */
	op: z.string().optional(),
	/** First words of the model's answer. */
	words: z.string().optional(),
	/** Done part of the whole, 0 to 1, of a report. */
	fraction: z.number().optional(),
	durationMs: z.number().nonnegative().optional(),
	error: z
		.object({ code: z.enum(ERROR_CODES), message: z.string(), facts: z.record(z.string(), z.unknown()) })
		.optional(),
});
export type RunStep = z.infer<typeof RunStep>;

export function isOpenStep({ status }: Pick<RunStep, 'status'>): boolean {
	return status === 'waiting' || status === 'running';
}

/** Number of all steps so far, those that are left out included. */
export function countSteps(steps: readonly RunStep[]): number {
	return steps.at(-1)?.id ?? 0;
}

/** Adds a step, or replaces an earlier state of it. Drops the oldest of too many, first of those that are over. */
export function mergeStep(steps: readonly RunStep[], step: RunStep): RunStep[] {
	const before = steps.findLastIndex(({ id }) => id <= step.id);
	const merged = steps[before]?.id === step.id ? steps.with(before, step) : steps.toSpliced(before + 1, 0, step);
	if (merged.length <= MAX_STEPS_KEPT) return merged;
	return merged.toSpliced(
		Math.max(
			0,
			merged.findIndex((each) => !isOpenStep(each)),
		),
		1,
	);
}

/** The last states of the steps that are still open, for a card that hears no more of them. */
export function endOpenSteps(steps: readonly RunStep[] | undefined, status: StepStatus): RunStep[] {
	return (steps ?? []).filter(isOpenStep).map((step) => ({ ...step, status }));
}

/** True while more steps may come of a call that has ended: an execution that nobody waits for tells of its end by a step. */
export function isFollowed(steps: readonly RunStep[] | undefined): boolean {
	return steps !== undefined && steps.at(-1)?.kind !== 'end';
}

/** The last steps of such a call, when no more will come: those that are open end, and the last says why. */
export function endFollowing(steps: readonly RunStep[] = [], status: 'interrupted' | 'unfollowed'): RunStep[] {
	if (!isFollowed(steps)) return endOpenSteps(steps, status);
	const said = text('The run was not followed to its end');
	const at = new Date().toISOString();
	const end: RunStep = { id: countSteps(steps) + 1, kind: 'end', at, status, title: inEnglish(said), said };
	return [...endOpenSteps(steps, status), end];
}

/** The steps that lead from one list to a later one of the same card; undefined when none do. */
export function stepsSince(was: readonly RunStep[] = [], is: readonly RunStep[] = []): RunStep[] | undefined {
	const known = new Map(was.map((step) => [step.id, JSON.stringify(step)]));
	const changed = is.filter((step) => known.get(step.id) !== JSON.stringify(step));
	return JSON.stringify(changed.reduce(mergeStep, [...was])) === JSON.stringify(is) ? changed : undefined;
}
