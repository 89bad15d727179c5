/** Actions with which the user goes back to a message of a thread, and takes another way from there. */
import { type RestoreFile, restoreRequests } from '../../protocol/thread/restores.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import { type UserMessageContent, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { EMPTY_DRAFT, readThreadDraft } from '../state/drafts.ts';
import { openThreadId } from '../state/view-state.ts';
import { type ActionContext, orShow } from './asking.ts';

interface GoBackWish {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly files: boolean;
	readonly conversation: boolean;
	/** Also files in which somebody else has changed what goes. */
	readonly force: boolean;
}

export type RestoreActions = ReturnType<typeof restoreActions>;

/** `show` opens a thread. */
export function restoreActions(asking: ActionContext, show: (threadId: ThreadId) => Promise<void>) {
	const { peer, store, signal } = asking;
	/** Messages that stand in their inputs again. */
	const saidAgain = new Map<ThreadId, string>();

	/** Words that have left a conversation stand in its input, unless something else is typed there. */
	function sayAgain(threadId: ThreadId, said: UserMessageContent | null): void {
		const draft = readThreadDraft(store.state.drafts, threadId);
		if (said !== null && draft.text === '' && draft.refs.length === 0) {
			saidAgain.set(threadId, said.text);
			store.dispatch({ type: 'draft', threadId, draft: { text: said.text, refs: said.context } });
			store.dispatch({ type: 'focusInput' });
		}
	}

	return {
		/** Undefined where they could not be found out, which is shown. */
		async preview(threadId: ThreadId, turnId: TurnId): Promise<readonly RestoreFile[] | undefined> {
			return (await orShow(asking, peer.call(restoreRequests.preview, { threadId, turnId }, signal)))?.files;
		},
		/** Gives the files that were left alone; undefined when nothing was done. */
		async goBack(wish: GoBackWish): Promise<readonly string[] | undefined> {
			const done = await orShow(asking, peer.call(restoreRequests.begin, wish, signal));
			sayAgain(wish.threadId, done?.said ?? null);
			await fetchLastRestore(asking, wish.threadId);
			return done?.left;
		},
		/** Gives the files that were left alone. */
		async redo(threadId: ThreadId): Promise<readonly string[]> {
			const done = await orShow(asking, peer.call(restoreRequests.redo, { threadId }, signal));
			// A message that is back in the thread leaves the input, unless it was changed there.
			if (done !== undefined && readThreadDraft(store.state.drafts, threadId).text === saidAgain.get(threadId)) {
				store.dispatch({ type: 'draft', threadId, draft: EMPTY_DRAFT });
			}
			saidAgain.delete(threadId);
			await fetchLastRestore(asking, threadId);
			return done?.left ?? [];
		},
		/** Begins another thread with what was said before that turn, or with all of it, and shows it. */
		async fork(before?: TurnId): Promise<void> {
			const threadId = openThreadId(store.state.open);
			if (threadId === null) {
				return;
			}
			const params = { threadId, ...(before === undefined ? {} : { before }) };
			const forked = await orShow(asking, peer.call(threadRequests.fork, params, signal));
			if (forked !== undefined) {
				store.dispatch({ type: 'info', info: forked.thread });
				await show(forked.thread.id);
				sayAgain(forked.thread.id, forked.said);
			}
		},
	};
}

/** Fetches the last way back of a shown thread, which can be taken back. */
export async function fetchLastRestore(asking: ActionContext, threadId: ThreadId): Promise<void> {
	const { peer, store, signal } = asking;
	const found = await orShow(asking, peer.call(restoreRequests.last, { threadId }, signal));
	if (found !== undefined) {
		store.dispatch({ type: 'lastRestore', threadId, last: found.last });
	}
}
