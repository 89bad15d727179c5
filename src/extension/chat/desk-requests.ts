/** The desk and the changed files, as the page sees them. Before the trusted base is there, both are empty. */
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { type Approval, type ApprovalAnswer, type deskRequests, isOffered } from '../../protocol/approvals.ts';
import type { changeRequests } from '../../protocol/changes.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';

/** An answer that is stored: it counts for questions that nobody will see. */
export type KeptAnswer = Extract<ApprovalAnswer, { kind: 'project' | 'always' }>;

interface DeskRequestPorts {
	base(): Pick<TrustedBase, 'desk' | 'outgoingMessage'> | undefined;
	/** The thread on the screen. */
	shownThread(): ThreadId | null;
	/** Asks in a dialog of the editor, which no page can press: true when the person wants it stored. */
	confirm(approval: Approval, answer: KeptAnswer): Promise<boolean>;
	/** Hears how many secrets are taken out of what the user has typed. */
	onRemoved(count: number): void;
}

/** The page's word counts for a question that it shows, and never for what is stored. */
export function createDeskRequests(ports: DeskRequestPorts): RequestHandlers<typeof deskRequests> {
	const tell = (text: string) => {
		const { found } = ports.base()?.outgoingMessage({ text, context: [] }, false) ?? {};
		const count = (found?.known ?? 0) + (found?.lookalikes ?? 0);
		if (count > 0) {
			ports.onRemoved(count);
		}
	};
	/** The question of that id, if the page shows it. */
	const shown = <T extends { readonly id: string; readonly threadId: ThreadId | null }>(
		asked: readonly T[],
		id: string,
	) => asked.find((each) => each.id === id && (each.threadId === null || each.threadId === ports.shownThread()));
	return {
		list: async () => ports.base()?.desk.current ?? { approvals: [], questions: [] },
		approve: async ({ id, answer }) => {
			const desk = ports.base()?.desk;
			const approval = shown(desk?.current.approvals ?? [], id);
			if (desk === undefined || approval === undefined || !isOffered(approval, answer)) {
				return { taken: false };
			}
			if ((answer.kind === 'project' || answer.kind === 'always') && !(await ports.confirm(approval, answer))) {
				return { taken: false };
			}
			const taken = desk.approve(id, answer);
			if (taken && answer.kind === 'deny') {
				tell(answer.reason ?? '');
			}
			return { taken };
		},
		reply: async ({ id, answer }) => {
			const desk = ports.base()?.desk;
			const taken = shown(desk?.current.questions ?? [], id) !== undefined && desk?.reply(id, answer) === true;
			if (taken) {
				tell(answer);
			}
			return { taken };
		},
	};
}

export function createChangeRequests(
	base: () => Promise<TrustedBase>,
	show: (threadId: ThreadId, path: string) => Promise<void>,
): RequestHandlers<typeof changeRequests> {
	return {
		list: async ({ threadId }) => ({ changes: await (await base()).changes.list(threadId) }),
		show: async ({ threadId, path }) => {
			await show(threadId, path);
			return {};
		},
		keep: async ({ threadId, paths }) => ({ changes: await (await base()).changes.keep(threadId, paths) }),
		undo: async ({ threadId, paths, force }, signal) => (await base()).changes.undo(threadId, paths, force, signal),
	};
}
