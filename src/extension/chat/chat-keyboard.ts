/** Whether the chat has the keyboard, as its page says: VS Code knows it of its own views, not of a page. */
import type { LogPort } from '../../capability-host/contract/ports.ts';
import { setContext } from '../set-context.ts';

export class ChatKeyboard {
	readonly #log: LogPort;
	#isHere = false;

	constructor(log: LogPort) {
		this.#log = log;
	}

	get isHere(): boolean {
		return this.#isHere;
	}

	/** Lets the shortcuts of the chat work, or no longer. */
	tell(isHere: boolean): void {
		this.#isHere = isHere;
		setContext(this.#log, 'chatFocused', isHere);
	}
}
