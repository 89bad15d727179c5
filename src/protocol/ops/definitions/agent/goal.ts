/** Goals that an agent proposes: none begins without the user's yes to its whole plan. Steps of goals end with a verdict. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const MAX_GOAL_PLAN_CHARS = 40_000;

export const goalStart = defineOp({
	params: z.strictObject({ plan: z.string().min(1).max(MAX_GOAL_PLAN_CHARS) }),
	result: z.object({
		id: z.string(),
		title: z.string(),
		steps: z.int().positive(),
		/** Present: the goal is worked on until its condition holds. Command that decides; null: a model judges. */
		check: z.string().nullable().optional(),
		/** The user changed the plan before the yes. */
		isEdited: z.boolean(),
	}),
	risk: 'PRIVILEGED',
	permission: 'user',
	effect: 'execute',
	timeoutMs: 10_000,
	callers: ['agent'],
	tool: 'Propose a goal: "# title" and at most 8 numbered steps, each a turn in a thread of its own. The user approves it first.',
	isRare: true,
	title: ({ plan }) => text('Start a goal: {plan}', { plan: readGoalHeadline(plan) }),
	present: ({ id, steps, check, isEdited }) => {
		const work = check === undefined ? `Its ${steps} steps are` : 'It is';
		const said = isEdited ? 'The user changed the plan and approved it' : 'The user approved the plan';
		return `${said}. ${work} worked on in another thread as ${id}; do nothing of it here.`;
	},
	refused: (reason) =>
		reason === undefined
			? 'The user refused the plan: answer the message directly.'
			: `The user refused the plan, because: ${JSON.stringify(reason)}. Answer the message directly, in that sense.`,
});

const MAX_VERDICT_REASON_CHARS = 1_000;

export const goalVerdict = defineOp({
	params: z.strictObject({
		verdict: z.enum(['done', 'notDone', 'needsYou']),
		reason: z.string().max(MAX_VERDICT_REASON_CHARS).default(''),
	}),
	result: z.object({ verdict: z.enum(['done', 'notDone', 'needsYou']) }),
	risk: 'SAFE',
	permission: 'thread',
	effect: 'interact',
	timeoutMs: 10_000,
	callers: ['agent'],
	tool: 'End this step of the goal: done, notDone (say what is missing), or needsYou (say what the user has to do).',
	title: ({ verdict }) =>
		verdict === 'done'
			? text('Say that the step is done')
			: verdict === 'notDone'
				? text('Say that the step is not done')
				: text('Say that the step needs you'),
	present: ({ verdict }) => `Noted: ${verdict}. End your turn now.`,
	isHousekeeping: true,
});

function readGoalHeadline(plan: string): string {
	return (plan.trim().split('\n', 1)[0] ?? '').replace(/^#+\s*/, '').slice(0, 80);
}
