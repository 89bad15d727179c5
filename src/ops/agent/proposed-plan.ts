/** A plan that the user may change like the text of a file before the yes; nothing is written. */
import type { Prepared, Proposal } from '../../contract/ops/op-implementation.ts';
import { fileDiff } from '../files/file-diff.ts';

interface ProposedPlan<R> {
	/** Name under which the editor shows it. */
	readonly shownAs: string;
	/** Plan as the agent has proposed it. */
	readonly proposed: string;
	readonly plan: string;
	/** The same op with another plan. */
	withPlan(plan: string): Prepared<R>;
}

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
