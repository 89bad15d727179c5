/** The approval that let a call through, found by what its card says. */
import { withTimeLimit } from '../../base/time/with-time-limit.ts';
import type { KeptApproval } from '../../contract/approvals.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { AllowingRule } from '../../protocol/approvals/approvals.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { extensionLimits } from '../editor/limits.ts';

/**
 * Returns the id of the approval that let a call through. If it was revoked since, returns an id that stands for
 * nothing, and the page then says so. `rule`: null for an answer for the thread.
 */
export async function allowingApproval(
	{ approvals }: Pick<TrustedBase, 'approvals'>,
	rule: AllowingRule | null,
	shownThread: ThreadId | null,
): Promise<string> {
	const limit = { what: 'reading the approvals', timeoutMs: extensionLimits.changeApprovalsMs };
	const list = await withTimeLimit(limit, (signal) => approvals.list(signal));
	const isMeant = (approval: KeptApproval): boolean => {
		const { in: place, exact } = approval;
		const isOfThread = place.kind === 'thread' && place.threadId === shownThread;
		if (rule === null) {
			return isOfThread && exact === null;
		}
		// Saved a moment before it let the call through, it is in the settings by now.
		const isThere = {
			project: place.kind === 'project' && place.isOpen,
			everywhere: place.kind === 'everywhere',
			thread: isOfThread || place.kind === 'everywhere',
		}[rule.scope];
		return isThere && exact === rule.rule;
	};
	return list.approvals.find(isMeant)?.id ?? REVOKED;
}

const REVOKED = 'revoked';
