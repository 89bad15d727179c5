/** plan.write: the plan is shown as what it is, and the user may change it like the text of a file before the yes. */
import type { OpResult } from '../../protocol/ops.ts';
import type { OpImplementations, Prepared } from '../../contract/ops/op-implementation.ts';
import type { AgentDeps } from './agent-deps.ts';
import { proposedPlan } from './proposed-plan.ts';

export function planOps({ beginWork }: Pick<AgentDeps, 'beginWork'>): Pick<OpImplementations, 'plan.write'> {
	function preparePlan(proposed: string, plan: string): Prepared<OpResult<'plan.write'>> {
		return {
			targets: [],
			detail: { kind: 'plan', text: plan },
			proposal: proposedPlan({
				shownAs: 'plan.md',
				proposed,
				plan,
				withPlan: (text) => preparePlan(proposed, text),
			}),
			async run({ caller, signal }) {
				if (caller.threadId !== null) {
					await beginWork(caller.threadId, signal);
				}
				return { plan, isEdited: plan !== proposed };
			},
		};
	}
	return { 'plan.write': { prepare: ({ plan }) => Promise.resolve(preparePlan(plan, plan)) } };
}
