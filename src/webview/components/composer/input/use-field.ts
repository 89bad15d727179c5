/** The field that is typed into. The text lives in it; every change goes into the draft, which outlives the view. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ContextRef } from '../../../../protocol/thread/context.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { ThreadDraft } from '../../../state/drafts.ts';
import { useView } from '../../../actions/view-context.ts';

export interface ComposerField {
	readonly element: RefObject<HTMLTextAreaElement | null>;
	/** Returns the present text, even if it is not drawn yet. */
	text(): string;
	caret(): number;
	/** Puts a text into it as if it had been typed. */
	write(text: string, caret?: number, refs?: readonly ContextRef[]): void;
	/** Takes over what was typed. */
	typed(text: string): void;
	attach(refs: readonly ContextRef[]): void;
	detach(ref: ContextRef): void;
	/** Returns the references that are attached at present, even if they are not drawn yet. */
	attached(): readonly ContextRef[];
}

interface ComposerFieldProps {
	readonly threadId: ThreadId | null;
	readonly draft: ThreadDraft;
	readonly focusRequests: number;
}

export function useField({ threadId, draft, focusRequests }: ComposerFieldProps): ComposerField {
	const { drafts } = useView();
	const element = useRef<HTMLTextAreaElement>(null);
	const showText = (text: string) => {
		if (element.current !== null && element.current.value !== text) {
			element.current.value = text;
		}
	};
	useLayoutEffect(() => showText(draft.text), [draft.text, threadId]);
	// Also before it is drawn, because keys change the text that stands there.
	useLayoutEffect(() => drafts.follow(threadId, showText), [threadId]);
	// Not when the view appears by itself: that would take the focus away from the editor.
	useLayoutEffect(() => {
		if (focusRequests > 0) {
			element.current?.focus();
		}
	}, [focusRequests]);

	const readText = () => element.current?.value ?? draft.text;
	return {
		element,
		text: readText,
		caret: () => element.current?.selectionStart ?? readText().length,
		write(next, caret = next.length, refs = drafts.of(threadId).refs) {
			if (element.current !== null) {
				element.current.value = next;
				element.current.setSelectionRange(caret, caret);
				element.current.focus();
			}
			drafts.change(threadId, { text: next, refs });
		},
		typed: (next) => drafts.change(threadId, { text: next }),
		attach: (refs) => drafts.attach(threadId, refs),
		detach: (ref) => drafts.detach(threadId, ref),
		attached: () => drafts.of(threadId).refs,
	};
}
