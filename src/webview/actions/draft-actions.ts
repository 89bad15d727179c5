/**
 * Actions on the draft as it is at this moment. The draft that a component was drawn with is older while keys come
 * fast.
 */
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { type Draft, draftOf, withRefs } from '../state/drafts.ts';
import type { Asking } from './asking.ts';

export type DraftActions = ReturnType<typeof draftActions>;

export function draftActions({ store }: Pick<Asking, 'store'>) {
	const of = (threadId: ThreadId | null) => draftOf(store.state.drafts, threadId);

	/** Changes the given parts of the draft; parts that are left out stay as they are. */
	function change(threadId: ThreadId | null, part: Partial<Draft>): void {
		store.dispatch({ type: 'draft', threadId, draft: { ...of(threadId), ...part } });
	}

	return {
		of,
		change,
		attach: (threadId: ThreadId | null, refs: readonly ContextRef[]) => change(threadId, withRefs(of(threadId), refs)),
		/** Does nothing when it is gone already. */
		detach: (threadId: ThreadId | null, ref: ContextRef) =>
			change(threadId, { refs: of(threadId).refs.filter((each) => JSON.stringify(each) !== JSON.stringify(ref)) }),
		/** Puts a text below or above what is typed, on a line of its own. */
		insert(threadId: ThreadId | null, given: Draft, where: 'above' | 'below'): void {
			const { text: typed, refs } = withRefs(of(threadId), given.refs);
			const parts = (where === 'above' ? [given.text, typed] : [typed, given.text]).filter((part) => part !== '');
			change(threadId, { text: parts.join(parts[0]?.endsWith('\n') === true ? '' : '\n'), refs });
			store.dispatch({ type: 'focusInput' });
		},
	};
}
