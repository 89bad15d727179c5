/** Brings an item of the thread into sight and to the keyboard, also one that is not drawn or not loaded yet. */
import { createContext } from 'preact';
import { useCallback, useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ItemId } from '../../../protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';

type Reveal = (itemId: ItemId) => void;

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
	const [wanted, setWanted] = useState<ItemId>();
	const askedBefore = useRef<ItemId | null>(null);
	useLayoutEffect(() => {
		if (wanted === undefined) {
			return;
		}
		const fromEnd = items.length - items.findIndex(({ id }) => id === wanted);
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
	return useCallback((itemId) => {
		askedBefore.current = null;
		setWanted(itemId);
	}, []);
}

/** A card in a group that is open has the place; else the group has. */
function revealRow(content: HTMLElement | null, itemId: ItemId): void {
	const row = [...(content?.querySelectorAll<HTMLElement>(`[data-items~="${itemId}"]`) ?? [])].at(-1);
	row?.scrollIntoView({ block: 'center' });
	row?.querySelector<HTMLElement>('.disclosure')?.focus({ preventScroll: true });
}
