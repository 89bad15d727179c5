/** goal.verdict ends a step. goal.start: the whole plan is shown before it is kept, and the user may change it like the text of a file before the yes. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import type { OpImplementations, Prepared } from '../../contract/ops/op-implementation.ts';
import { completePlan, readWantedGoal } from '../../features/goal/until/wanted-goal.ts';
import type { AgentDeps } from './agent-deps.ts';
import { proposedPlan } from './plan.ts';

export function goalOps({ goals }: Pick<AgentDeps, 'goals'>): Pick<OpImplementations, 'goal.start' | 'goal.verdict'> {
	function prepareGoal(proposed: string, plan: string, folder: string): Prepared<OpResult<'goal.start'>> {
		const wanted = { ...readWantedGoal(plan), folder, mode: 'agent' } as const;
		goals.check(wanted);
		return {
			targets: [],
			detail: { kind: 'plan', text: plan },
			proposal: proposedPlan({
				shownAs: 'goal.md',
				proposed,
				plan,
				withPlan: (text) => prepareGoal(proposed, text, folder),
			}),
			run() {
				const { id, title, steps, until } = goals.add(wanted);
				goals.start(id);
				return Promise.resolve({
					id,
					title,
					steps: steps.length,
					...(until === undefined ? {} : { check: until.check }),
					isEdited: plan !== proposed,
				});
			},
		};
	}
	return {
		'goal.start': {
			async prepare({ plan }) {
				const folder = goals.folder();
				if (folder === undefined) {
					throw new ProwessError('INVALID_STATE', 'no folder is open, so there is no project for a goal', {
						said: text('No folder is open, so there is no project for a goal.'),
					});
				}
				const whole = await completePlan(plan, folder);
				return prepareGoal(whole, whole, folder);
			},
		},
		'goal.verdict': {
			prepare: ({ verdict, reason }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: reason },
					async run({ caller }) {
						await goals.judge(caller.threadId, verdict, reason);
						return { verdict };
					},
				}),
		},
	};
}
