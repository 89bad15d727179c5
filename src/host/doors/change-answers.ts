/** Changed files of threads, and ways back to a message, for whichever client asks. */
import type { changeRequests } from '../../protocol/approvals/changes.ts';
import type { restoreRequests } from '../../protocol/thread/restores.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import type { TrustedBase } from '../trusted-base.ts';

export function changeAnswers(
	base: () => Promise<Pick<TrustedBase, 'changes'>>,
): RequestHandlers<Omit<typeof changeRequests, 'show'>> {
	return {
		list: async ({ threadId }) => {
			const { changes } = await base();
			return { changes: await changes.list(threadId), undone: await changes.undone(threadId) };
		},
		keep: async ({ threadId, paths }) => (await base()).changes.keep(threadId, paths),
		undo: async ({ threadId, paths, force }, signal) => (await base()).changes.undo(threadId, paths, force, signal),
		redo: async ({ threadId }, signal) => (await base()).changes.redo(threadId, signal),
	};
}

export function restoreAnswers(
	base: () => Promise<Pick<TrustedBase, 'restores'>>,
): RequestHandlers<typeof restoreRequests> {
	return {
		preview: async ({ threadId, turnId }) => ({ files: await (await base()).restores.preview(threadId, turnId) }),
		begin: async (wish, signal) => (await base()).restores.restore(wish, signal),
		redo: async ({ threadId }, signal) => (await base()).restores.redo(threadId, signal),
		last: async ({ threadId }) => ({ last: await (await base()).restores.last(threadId) }),
	};
}
