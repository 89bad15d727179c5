/** Brings an item of the thread into sight and to the keyboard, also one that is not drawn or not loaded yet. */
import { createContext } from 'preact';
import { useCallback, useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ItemId } from '../../../protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';

/** `keepsFocus`: the keyboard stays where it is, and the item is marked instead. */
type Reveal = (itemId: ItemId, keepsFocus?: boolean) => void;

const RevealContext = createContext<Reveal>(() => {});
export const RevealProvider = RevealContext.Provider;

export function useReveal(): Reveal {
	return useContext(RevealContext);
}

interface DrawnTranscript {
	readonly content: { readonly current: HTMLElement | null };
	/** Number of the newest items that are drawn. */
	readonly limit: number;
	draw(limit: number): void;
	/** Stops following the end, so that growing content does not pull the view there. */
	leaveBottom(): void;
}

export function useRevealing({ info, items, earlier }: ThreadSnapshot, drawn: DrawnTranscript): Reveal {
	const { threads } = useView();
	const [wanted, setWanted] = useState<{ readonly id: ItemId; readonly keepsFocus: boolean }>();
	const askedBefore = useRef<ItemId | null>(null);
	useLayoutEffect(() => {
		if (wanted === undefined) {
			return;
		}
		const fromEnd = items.length - items.findIndex(({ id }) => id === wanted.id);
		const [oldest] = items;
		if (fromEnd > items.length) {
			if (earlier === 0 || oldest === undefined) {
				setWanted(undefined);
			} else if (askedBefore.current !== oldest.id) {
				askedBefore.current = oldest.id;
				void threads.earlier(info.id, oldest.id);
			}
		} else if (fromEnd > drawn.limit) {
			drawn.draw(fromEnd);
		} else {
			drawn.leaveBottom();
			revealRow(drawn.content.current, wanted);
			setWanted(undefined);
		}
	}, [wanted, items, drawn.limit]);
	return useCallback((itemId, keepsFocus = false) => {
		askedBefore.current = null;
		setWanted({ id: itemId, keepsFocus });
	}, []);
}

/** A card in a group that is open has the place; else the group has. */
function revealRow(
	content: HTMLElement | null,
	{ id, keepsFocus }: { readonly id: ItemId; readonly keepsFocus: boolean },
): void {
	const row = [...(content?.querySelectorAll<HTMLElement>(`[data-items~="${id}"]`) ?? [])].at(-1);
	row?.scrollIntoView({ block: 'center' });
	unmarkFound(content);
	if (keepsFocus) {
		row?.classList.add('found-item');
	} else {
		row?.querySelector<HTMLElement>('.disclosure')?.focus({ preventScroll: true });
	}
}

/** The item that was found last looks like any other again. */
export function unmarkFound(content: HTMLElement | null): void {
	content?.querySelector('.found-item')?.classList.remove('found-item');
}
