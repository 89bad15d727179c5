/** A script: ops and capabilities in an order, written as YAML. No model takes part in it. */
import * as z from '../../protocol/text/zod.ts';
import { scriptLimits } from './limits.ts';

const StepId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and hyphens');

const WrittenStep = z.strictObject({
	id: StepId,
	/** Name of an op, such as `fs.read`. Exactly one of `op` and `capability` is set. */
	op: z.string().min(1).max(100).optional(),
	/** Type and name of a capability, such as `skill/todo-report`. */
	capability: z
		.string()
		.regex(/^[^/\s]+\/[^/\s]+$/, 'expected <type>/<name>')
		.optional(),
	/** Params; `${id.field}` stands for what an earlier step gave, `${item}` for the round of `for`. */
	with: z.record(z.string(), z.unknown()).default({}),
	/** Values to repeat the step for, one round each, or a reference to a list. */
	for: z.union([z.string(), z.array(z.unknown()).max(scriptLimits.mostRounds)]).optional(),
	/** Steps that must be done before, beside those that it refers to. */
	after: z.array(StepId).default([]),
});

export const WrittenScript = z.strictObject({
	name: z.string().trim().min(1).max(100),
	description: z.string().max(1_000).default(''),
	steps: z.array(WrittenStep).min(1).max(scriptLimits.mostSteps),
});
export type WrittenScript = z.infer<typeof WrittenScript>;

export interface ScriptStep {
	readonly id: string;
	readonly op: string;
	/** With references as they are written. */
	readonly params: Readonly<Record<string, unknown>>;
	/** Absent: one round. */
	readonly rounds?: string | readonly unknown[] | undefined;
	/** In the file, from 1. */
	readonly line: number;
	/** Title of the step: its work, in one line. */
	readonly title: string;
}

/** Checked: every op is there, every reference leads to an earlier step. */
export interface Script {
	readonly name: string;
	readonly description: string;
	/** Hash of the whole text: a changed script counts as another script. */
	readonly hash: string;
	/** In the order in which they run. */
	readonly steps: readonly ScriptStep[];
}
