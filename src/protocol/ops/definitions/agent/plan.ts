/** The plan of a thread in the mode Plan: its approval is what lets the agent begin. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const MAX_PLAN_CHARS = 40_000;

export const planWrite = defineOp({
	params: z.strictObject({ plan: z.string().min(1).max(MAX_PLAN_CHARS) }),
	result: z.object({
		/** Plan as it was approved. */
		plan: z.string(),
		/** The user changed it before the yes. */
		isEdited: z.boolean(),
	}),
	risk: 'SAFE',
	permission: 'user',
	effect: 'interact',
	callers: ['agent'],
	timeoutMs: 0,
	tool: 'Give the user the whole plan, in Markdown, to approve.',
	title: ({ plan }) => text('Plan: {plan}', { plan: readPlanHeadline(plan) }),
	present: ({ plan, isEdited }) =>
		isEdited
			? `The user changed the plan and approved it. You are in agent mode now; carry out their text:\n${plan}`
			: 'The user approved the plan. You are in agent mode now; carry it out.',
	refused: (reason) =>
		reason === undefined
			? 'The user refused the plan and gave no reason. Ask them what to change, or propose another plan with plan_write.'
			: `The user refused the plan, because: ${JSON.stringify(reason)}. Change it as they say and give the whole of it to plan_write, or ask what is unclear.`,
	record: ({ plan }) => `approved: ${plan}`,
});

function readPlanHeadline(plan: string): string {
	const line = plan.trim().split('\n', 1)[0] ?? '';
	return line.replace(/^#+\s*/, '').slice(0, 80);
}
