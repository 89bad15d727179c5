/** plan.write: the plan is shown as what it is, and the user may change it like the text of a file before the yes. */
import type { OpResult } from '../../protocol/op-table/ops.ts';
import type { OpImplementations, Prepared, Proposal } from '../../contract/ops/op-implementation.ts';
import { fileDiff } from '../files/file-diff.ts';
import type { AgentDeps } from './agent-deps.ts';

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

interface ProposedPlan<R> {
	/** Name under which the editor shows it. */
	readonly shownAs: string;
	/** Plan as the agent has proposed it. */
	readonly proposed: string;
	readonly plan: string;
	/** The same op with another plan. */
	withPlan(plan: string): Prepared<R>;
}

/** A plan that the user may change like the text of a file before the yes; nothing is written. */
export function proposedPlan<R>({ shownAs, proposed, plan, withPlan }: ProposedPlan<R>): Proposal<R> {
	return {
		path: shownAs,
		before: undefined,
		after: plan,
		withText(text) {
			const { added, removed } = fileDiff(shownAs, proposed, text);
			return { prepared: withPlan(text), added, removed };
		},
		verify: () => Promise.resolve(),
	};
}
