/** Ways out of a small dialog of the chat: Escape, which gives the keyboard back, and the focus that goes elsewhere. */
import type { RefObject } from 'preact';

interface LeaveHandlers {
	onKeyDown(event: KeyboardEvent): void;
	onFocusOut(event: FocusEvent): void;
}

/** `onLeave` hears whether the keyboard goes back to where the dialog was opened. */
export function createLeaveHandlers(
	dialog: RefObject<HTMLElement | null>,
	onLeave: (givesBack: boolean) => void,
): LeaveHandlers {
	return {
		onKeyDown(event) {
			if (event.key === 'Escape') {
				// Outside, it stops the turn.
				event.stopPropagation();
				event.preventDefault();
				onLeave(true);
			}
		},
		onFocusOut({ relatedTarget }) {
			if (!(relatedTarget instanceof Node && dialog.current?.contains(relatedTarget) === true)) {
				onLeave(false);
			}
		},
	};
}
