/** The desk and the changed files, as the page sees them. Before the trusted base is there, both are empty. */
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import type { deskRequests } from '../../protocol/approvals.ts';
import type { changeRequests } from '../../protocol/changes.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';

/** `onRemoved` hears how many secrets are taken out of what the user has typed. */
export function createDeskRequests(
	base: () => TrustedBase | undefined,
	onRemoved: (count: number) => void,
): RequestHandlers<typeof deskRequests> {
	const tell = (text: string) => {
		const { found } = base()?.outgoingMessage({ text, context: [] }, false) ?? {};
		const count = (found?.known ?? 0) + (found?.lookalikes ?? 0);
		if (count > 0) {
			onRemoved(count);
		}
	};
	return {
		list: async () => base()?.desk.current ?? { approvals: [], questions: [] },
		approve: async ({ id, answer }) => {
			const taken = base()?.desk.approve(id, answer) ?? false;
			if (taken && answer.kind === 'deny') {
				tell(answer.reason ?? '');
			}
			return { taken };
		},
		reply: async ({ id, answer }) => {
			const taken = base()?.desk.reply(id, answer) ?? false;
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
