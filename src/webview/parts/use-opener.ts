/** Button that opens a menu or a dialog of its own, and gets the keyboard back when that is left with a key. */
import type { RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface Opener {
	readonly isOpen: boolean;
	/** Id of the element that it opens. */
	readonly id: string;
	/** Attributes of the button. */
	readonly button: {
		readonly ref: RefObject<HTMLButtonElement | null>;
		readonly 'aria-haspopup': 'menu' | 'dialog';
		readonly 'aria-expanded': boolean;
		readonly 'aria-controls': string | undefined;
		onMouseDown(event: MouseEvent): void;
	};
	open(): void;
	/** `givesBack`: the button gets the keyboard. */
	leave(givesBack: boolean): void;
}

export function useOpener(opens: 'menu' | 'dialog'): Opener {
	const [isOpen, setIsOpen] = useState(false);
	const ref = useRef<HTMLButtonElement>(null);
	const id = useId();
	return {
		isOpen,
		id,
		button: {
			ref,
			'aria-haspopup': opens,
			'aria-expanded': isOpen,
			'aria-controls': isOpen ? id : undefined,
			// Before that which is open loses the focus and closes.
			onMouseDown: (event) => event.preventDefault(),
		},
		open: () => setIsOpen(true),
		leave(givesBack) {
			setIsOpen(false);
			if (givesBack) {
				ref.current?.focus();
			}
		},
	};
}
