/** Which page of the chat has the keyboard, as the pages say: VS Code knows it of its own views, not of a page. */
import type { LogPort } from '../../contract/ports/ports.ts';
import { setContext } from '../editor/set-context.ts';

/** Stands for the page of the side bar. */
const SIDE_BAR = {};

export class ChatKeyboard {
	readonly #log: LogPort;
	#holder: object | undefined;

	constructor(log: LogPort) {
		this.#log = log;
	}

	get isHere(): boolean {
		return this.#holder !== undefined;
	}

	/** Lets the shortcuts of the chat work, or no longer. A page may say that it lost the keyboard after another has got it. */
	tell(isHere: boolean, page: object = SIDE_BAR): void {
		if (isHere) {
			this.#holder = page;
		} else if (this.#holder === page) {
			this.#holder = undefined;
		}
		setContext(this.#log, 'chatFocused', this.#holder !== undefined);
	}
}
