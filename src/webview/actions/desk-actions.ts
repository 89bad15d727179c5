/** The user's answers: to approvals and questions, and to the files a thread has changed. */
import {
	type AnswerToAll,
	type Approval,
	type ApprovalAnswer,
	deskRequests,
} from '../../protocol/approvals/approvals.ts';
import { changeRequests, type ChangesLeft } from '../../protocol/approvals/changes.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ApprovalId, QuestionId, ThreadId } from '../../protocol/rpc/ids.ts';
import { type ActionContext, orShow } from './asking.ts';

export type DeskActions = ReturnType<typeof deskActions>;

export function deskActions(asking: ActionContext) {
	const { peer, store, signal } = asking;

	async function fetchDesk(): Promise<void> {
		const desk = await orShow(asking, peer.call(deskRequests.list, {}, signal));
		if (desk !== undefined) {
			store.dispatch({ type: 'desk', desk });
		}
	}

	/**
	 * An answer that was not taken shows the desk as it is now, and says so when the first question is over. While one is on
	 * its way, one more press means the same one. Gives whether it was taken.
	 */
	async function sendAnswer(
		ids: readonly (ApprovalId | QuestionId)[],
		send: () => Promise<{ taken: boolean }>,
	): Promise<boolean> {
		if (ids.some((id) => store.state.answering.includes(id))) {
			return false;
		}
		store.dispatch({ type: 'answering', ids });
		try {
			const answered = await orShow(asking, send());
			if (answered?.taken === true) {
				return true;
			}
			await fetchDesk();
			const { approvals, questions } = store.state.desk;
			if (answered !== undefined && [...approvals, ...questions].every((open) => open.id !== ids[0])) {
				const error = new ProwessError('ANSWERED_TOO_LATE', 'the question is over', {});
				store.dispatch({ type: 'problem', error });
			}
			return false;
		} finally {
			store.dispatch({ type: 'answered', ids });
		}
	}

	/** Gives the files that were left alone. */
	function showChangesLeft(threadId: ThreadId, left: ChangesLeft | undefined): readonly string[] {
		if (left !== undefined) {
			const { changes, undone } = left;
			store.dispatch({ type: 'changes', threadId, changes, undone });
		}
		return left?.skipped ?? [];
	}

	const answerApproval = (id: ApprovalId, given: ApprovalAnswer) =>
		sendAnswer([id], () => peer.call(deskRequests.approve, { id, answer: given }, signal));

	/** To each of these, and to what comes up meanwhile nothing. Gives whether any took it. */
	const approveAll = (ids: readonly ApprovalId[], given: AnswerToAll): Promise<boolean> =>
		sendAnswer(ids, async () => {
			const { taken } = await peer.call(deskRequests.approveAll, { ids: [...ids], answer: given }, signal);
			return { taken: taken.length > 0 };
		});

	return {
		list: fetchDesk,
		approve: answerApproval,
		/**
		 * Answers everything that is shown. An answer that reaches further than once can be given only when a single
		 * approval is shown. Resolves with false when no answer was taken.
		 */
		async answerShown(shown: readonly Approval[], given: ApprovalAnswer): Promise<boolean> {
			const [one, ...others] = shown;
			if (one === undefined) {
				return false;
			}
			return others.length === 0
				? await answerApproval(one.id, given)
				: (given.kind === 'once' || given.kind === 'deny') &&
						(await approveAll(
							shown.map(({ id }) => id),
							given,
						));
		},
		reply: (id: QuestionId, given: string) =>
			sendAnswer([id], () => peer.call(deskRequests.reply, { id, answer: given }, signal)),
		async tryFirst(id: ApprovalId): Promise<void> {
			await orShow(asking, peer.call(deskRequests.tryFirst, { id }, signal));
		},
		async showDiff(id: ApprovalId): Promise<void> {
			await orShow(asking, peer.call(deskRequests.showDiff, { id }, signal));
		},
		async showChange(threadId: ThreadId, path: string): Promise<void> {
			await orShow(asking, peer.call(changeRequests.show, { threadId, path }, signal));
		},
		async keep(threadId: ThreadId, paths?: readonly string[]): Promise<void> {
			const params = { threadId, ...(paths === undefined ? {} : { paths: [...paths] }) };
			showChangesLeft(threadId, await orShow(asking, peer.call(changeRequests.keep, params, signal)));
		},
		/** Gives the files that were left alone because somebody changed them since. */
		async undo(threadId: ThreadId, paths: readonly string[] | undefined, force: boolean): Promise<readonly string[]> {
			const params = { threadId, force, ...(paths === undefined ? {} : { paths: [...paths] }) };
			return showChangesLeft(threadId, await orShow(asking, peer.call(changeRequests.undo, params, signal)));
		},
		/** Gives the files that were left alone because somebody changed them since. */
		async redo(threadId: ThreadId): Promise<readonly string[]> {
			return showChangesLeft(threadId, await orShow(asking, peer.call(changeRequests.redo, { threadId }, signal)));
		},
	};
}
