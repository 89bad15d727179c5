/** The desk and the changed files, as the page sees them. Before the trusted base is there, both are empty. */
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import type { deskRequests } from '../../protocol/approvals.ts';
import type { changeRequests } from '../../protocol/changes.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';

export function createDeskRequests(base: () => TrustedBase | undefined): RequestHandlers<typeof deskRequests> {
	return {
		list: async () => base()?.desk.current ?? { approvals: [], questions: [] },
		approve: async ({ id, answer }) => ({ taken: base()?.desk.approve(id, answer) ?? false }),
		reply: async ({ id, answer }) => ({ taken: base()?.desk.reply(id, answer) ?? false }),
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
