/** Plans as text: steps, or a condition with what checks it. */
import type { NewGoal, RoundLimits } from '../goal.ts';
import { parseGoalPlan } from '../plan-words.ts';
import {
	defaultRoundLimits,
	formatUntilWords,
	parseUntilWords,
	readRoundLimit,
	requireUntil,
	type UntilWords,
} from './until-words.ts';

/** A plan with a condition says what checks it, and its limits, where it did not; any other plan stays as it is. */
export async function completePlan(plan: string, folder: string): Promise<string> {
	const words = parseUntilWords(plan);
	return words === undefined ? plan : formatUntilWords(await completeUntil(words, folder));
}

/** Names of the limits that rounds have. */
const ROUND_LIMITS = ['rounds', 'tokens', 'cost', 'minutes'] as const;

/**
 * The goal for a condition, as a command line gives it. `check`: a command line, or "judge" for a model; absent: a command
 * is looked for. Rejects with INVALID_PARAMS for a limit that cannot be read.
 */
export async function planUntil(
	condition: string,
	given: { readonly check: string | undefined; readonly limits: Readonly<Record<string, string | undefined>> },
	folder: string,
): Promise<UntilWords> {
	const limits = { ...defaultRoundLimits, ...readGivenLimits(given.limits) };
	return completeUntil({ condition, check: given.check === 'judge' ? null : given.check, limits }, folder);
}

/** The limits that a command line gives. Throws INVALID_PARAMS for one that cannot be read. */
export function readGivenLimits(given: Readonly<Record<string, string | undefined>>): Partial<RoundLimits> {
	const names = ROUND_LIMITS.filter((name) => given[name] !== undefined);
	return Object.fromEntries(names.map((name) => [name, readRoundLimit(name, given[name] ?? '')]));
}

/** With the command that decides the condition in that project, where one is found. */
async function completeUntil(words: UntilWords, folder: string): Promise<UntilWords> {
	if (words.check !== undefined) {
		return words;
	}
	const { findCheck } = await import('./find-check.ts');
	return { ...words, check: findCheck(words.condition, folder) ?? null };
}

/** Throws INVALID_PARAMS with what cannot be read. */
export function readWantedGoal(plan: string): Pick<NewGoal, 'title' | 'steps' | 'until'> {
	const words = parseUntilWords(plan);
	return words === undefined ? parseGoalPlan(plan) : untilGoal(words);
}

/** A goal of one step, which is the condition. Throws INVALID_PARAMS for a check that cannot run. */
export function untilGoal(words: UntilWords): Pick<NewGoal, 'title' | 'steps' | 'until'> {
	const until = requireUntil(words);
	return { title: words.condition, steps: [{ text: words.condition, after: [] }], until };
}
