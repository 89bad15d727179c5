/**
 * Commands about what is allowed until further notice: the page, one revocation, and the reset of everything; and the
 * approval that let a call through.
 */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { KeptApproval } from '../../contract/approvals.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { AllowingRule } from '../../protocol/approvals/approvals.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { CapabilityPages } from '../capabilities/pages/capability-pages.ts';
import type { EditorCommandId } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { confirmLoss, inform } from '../notices/notices.ts';

interface ApprovalCommandPorts {
	base(): Promise<Pick<TrustedBase, 'approvals'>>;
	readonly pages: Pick<CapabilityPages, 'show'>;
}

type ApprovalCommandId = Extract<
	EditorCommandId,
	`prowess.${'manageApprovals' | 'revokeApproval' | 'resetApprovals' | 'whyAsked'}`
>;

/** Lines of a dialog that list what goes. */
const MAX_LISTED_APPROVALS = 8;

export function createApprovalCommands({ base, pages }: ApprovalCommandPorts): {
	readonly [C in ApprovalCommandId]: (on?: unknown) => Promise<void>;
} {
	return {
		/** `on`: the id of the approval to show first. */
		'prowess.manageApprovals': async (on) =>
			pages.show({ kind: 'approvals', of: typeof on === 'string' ? on : '', title: vscode.l10n.t('Approvals') }),
		/** `on`: the id of an open approval. */
		'prowess.whyAsked': async (on) => {
			if (typeof on === 'string') {
				pages.show({ kind: 'question', of: on, title: vscode.l10n.t('Why am I asked?') });
			}
		},
		'prowess.revokeApproval': async (on) => {
			if (typeof on !== 'string') {
				return;
			}
			const { approvals } = await base();
			const limit = { what: 'revoking an approval', timeoutMs: extensionLimits.changeApprovalsMs };
			if ((await withTimeLimit(limit, (signal) => approvals.revoke(on, signal))) === undefined) {
				inform(vscode.l10n.t('This was revoked already.'));
			}
		},
		'prowess.resetApprovals': async () => {
			const { approvals } = await base();
			const reading = { what: 'reading the approvals', timeoutMs: extensionLimits.changeApprovalsMs };
			const { approvals: kept } = await withTimeLimit(reading, (signal) => approvals.list(signal));
			if (kept.length === 0) {
				inform(vscode.l10n.t('Nothing is allowed until further notice.'));
				return;
			}
			if (!(await confirmReset(kept))) {
				return;
			}
			const limit = { what: 'resetting the approvals', timeoutMs: extensionLimits.changeApprovalsMs };
			const revoked = await withTimeLimit(limit, (signal) => approvals.reset(signal));
			inform(
				revoked.length === 1
					? vscode.l10n.t('1 approval was revoked. Prowess asks again.')
					: vscode.l10n.t('{n} approvals were revoked. Prowess asks again.', { n: revoked.length }),
			);
		},
	};
}

async function confirmReset(kept: readonly KeptApproval[]): Promise<boolean> {
	const lines = kept
		.slice(0, MAX_LISTED_APPROVALS)
		.map(({ what }) => translateText(what, (template) => vscode.l10n.t(template)));
	const more = kept.length - lines.length;
	return await confirmLoss(
		vscode.l10n.t('Ask about everything again?'),
		[
			...lines,
			...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : []),
			'',
			vscode.l10n.t(
				'This counts for all projects and windows. To undo it, you have to allow each again when Prowess asks. Secrets stay stored.',
			),
		],
		vscode.l10n.t('Reset Approvals'),
	);
}

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
