/**
 * Actions on the draft as it is at this moment. The draft that a component was drawn with is older while keys come
 * fast.
 */
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { type ThreadDraft, readThreadDraft, withRefs } from '../state/drafts.ts';
import { openThreadId } from '../state/view-state.ts';
import type { ActionContext } from './asking.ts';

export type DraftActions = ReturnType<typeof draftActions>;

export function draftActions({ store }: Pick<ActionContext, 'store'>) {
	const currentDraft = (threadId: ThreadId | null) => readThreadDraft(store.state.drafts, threadId);

	/** Changes the given parts of the draft; parts that are left out stay as they are. */
	function changeDraft(threadId: ThreadId | null, part: Partial<ThreadDraft>): void {
		store.dispatch({ type: 'draft', threadId, draft: { ...currentDraft(threadId), ...part } });
	}

	function attachRefs(threadId: ThreadId | null, refs: readonly ContextRef[]): void {
		changeDraft(threadId, withRefs(currentDraft(threadId), refs));
	}

	return {
		of: currentDraft,
		/** Hears each new text of the draft before it is drawn, until the result is called. */
		follow(threadId: ThreadId | null, onText: (text: string) => void): () => void {
			let { text: known } = currentDraft(threadId);
			const listening = store.onDidChange(() => {
				const { text } = currentDraft(threadId);
				if (text !== known) {
					known = text;
					onText(text);
				}
			});
			return () => listening.dispose();
		},
		change: changeDraft,
		attach: attachRefs,
		/** Attaches what comes later; in a page that is still opening now, to the draft of the thread that it shows then. */
		attachLater(threadId: ThreadId | null): (refs: readonly ContextRef[]) => void {
			const isOpening = store.state.phase.kind === 'starting';
			return (refs) => attachRefs(isOpening ? openThreadId(store.state.open) : threadId, refs);
		},
		/** Does nothing when it is gone already. */
		detach: (threadId: ThreadId | null, ref: ContextRef) =>
			changeDraft(threadId, {
				refs: currentDraft(threadId).refs.filter((each) => JSON.stringify(each) !== JSON.stringify(ref)),
			}),
		/** Puts a text below or above what is typed, on a line of its own. */
		insert(threadId: ThreadId | null, given: ThreadDraft, where: 'above' | 'below'): void {
			const { text: typed, refs } = withRefs(currentDraft(threadId), given.refs);
			const parts = (where === 'above' ? [given.text, typed] : [typed, given.text]).filter((part) => part !== '');
			changeDraft(threadId, { text: parts.join(parts[0]?.endsWith('\n') === true ? '' : '\n'), refs });
			store.dispatch({ type: 'focusInput' });
		},
	};
}
