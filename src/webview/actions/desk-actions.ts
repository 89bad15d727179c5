/** The user's answers: to approvals and questions, and to the files a thread has changed. */
import { type ApprovalAnswer, deskRequests } from '../../protocol/approvals.ts';
import { changeRequests } from '../../protocol/changes.ts';
import type { ApprovalId, QuestionId, ThreadId } from '../../protocol/ids.ts';
import { type Asking, orShow } from './asking.ts';

export type DeskActions = ReturnType<typeof deskActions>;

export function deskActions(asking: Asking) {
	const { peer, store, signal } = asking;

	async function list(): Promise<void> {
		const desk = await orShow(asking, peer.call(deskRequests.list, {}, signal));
		if (desk !== undefined) {
			store.dispatch({ type: 'desk', desk });
		}
	}

	return {
		list,
		/** An answer that was not taken (expired, answered elsewhere) shows the desk as it is now. Gives whether it was. */
		async approve(id: ApprovalId, answer: ApprovalAnswer): Promise<boolean> {
			const answered = await orShow(asking, peer.call(deskRequests.approve, { id, answer }, signal));
			if (answered?.taken !== true) {
				await list();
			}
			return answered?.taken === true;
		},
		async reply(id: QuestionId, answer: string): Promise<boolean> {
			const answered = await orShow(asking, peer.call(deskRequests.reply, { id, answer }, signal));
			if (answered?.taken !== true) {
				await list();
			}
			return answered?.taken === true;
		},
		async showChange(threadId: ThreadId, path: string): Promise<void> {
			await orShow(asking, peer.call(changeRequests.show, { threadId, path }, signal));
		},
		async keep(threadId: ThreadId, paths?: readonly string[]): Promise<void> {
			const params = { threadId, ...(paths === undefined ? {} : { paths: [...paths] }) };
			const kept = await orShow(asking, peer.call(changeRequests.keep, params, signal));
			if (kept !== undefined) {
				store.dispatch({ type: 'changes', threadId, changes: kept.changes });
			}
		},
		/** Gives the files that were left alone because somebody changed them since. */
		async undo(threadId: ThreadId, paths: readonly string[] | undefined, force: boolean): Promise<readonly string[]> {
			const params = { threadId, force, ...(paths === undefined ? {} : { paths: [...paths] }) };
			const undone = await orShow(asking, peer.call(changeRequests.undo, params, signal));
			if (undone === undefined) {
				return [];
			}
			store.dispatch({ type: 'changes', threadId, changes: undone.changes });
			return undone.skipped;
		},
	};
}
