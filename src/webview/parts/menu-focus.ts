/** Focus of an open menu: it is on one entry, arrows move it, and the menu is left when it goes elsewhere. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface MenuFocusOptions {
	readonly count: number;
	/** Index of the entry that has the focus first. */
	readonly first: number;
	onChoose(index: number): void;
	/** Called when the menu is left. `givesBack`: the element that opened the menu gets the focus back. */
	onLeave(givesBack: boolean): void;
}

interface MenuFocus {
	readonly menu: RefObject<HTMLUListElement | null>;
	/** Index of the entry that has the focus. */
	readonly active: number;
	onKeyDown(event: KeyboardEvent): void;
	onFocusOut(event: FocusEvent): void;
}

/** Moves the focus through a list whose children are the entries of a menu. */
export function useMenuFocus({ count, first, onChoose, onLeave }: MenuFocusOptions): MenuFocus {
	const menu = useRef<HTMLUListElement>(null);
	const [active, setActive] = useState(first);
	useLayoutEffect(() => {
		const entry = menu.current?.children[active];
		if (entry instanceof HTMLElement) {
			entry.focus();
		}
	}, [active]);
	return {
		menu,
		active,
		onKeyDown(event) {
			const last = count - 1;
			const moves: Readonly<Record<string, () => void>> = {
				ArrowDown: () => setActive(active === last ? 0 : active + 1),
				ArrowUp: () => setActive(active === 0 ? last : active - 1),
				Home: () => setActive(0),
				End: () => setActive(last),
				Enter: () => onChoose(active),
				' ': () => onChoose(active),
				Escape: () => onLeave(true),
			};
			const move = moves[event.key];
			if (move !== undefined) {
				event.preventDefault();
				// Outside, Escape stops the turn.
				event.stopPropagation();
				move();
			}
		},
		onFocusOut(event) {
			if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget) === true)) {
				onLeave(false);
			}
		},
	};
}
