import { within } from '../../base/within.ts';
import type { Check } from './ledger-text.ts';

/** The page that shows what the check found. */
export interface CheckedPage {
	/** Whether it would be made anew if it were asked for: an editor knows no page whose first text it still waits for. */
	isOpen(): boolean;
	renew(): void;
}

/**
 * A check that its page waits for only so long. What comes later is kept until the page is open, which is made anew with it:
 * it is lost only with its page.
 */
export class LateCheck {
	readonly #page: CheckedPage;
	readonly #patienceMs: number;
	#late: Check | undefined;

	constructor(page: CheckedPage, patienceMs: number) {
		this.#page = page;
		this.#patienceMs = patienceMs;
	}

	/** What to show: what came late for the page that is open; else what `start` finds, or that it is being looked for. */
	async take(start: () => Promise<Check>): Promise<Check> {
		// What came for a page that was closed is too old for the next one.
		const late = this.#page.isOpen() ? this.#late : undefined;
		this.#late = undefined;
		if (late !== undefined) {
			return late;
		}
		const checking = start();
		const inTime = await within(checking, this.#patienceMs);
		if (inTime !== undefined) {
			return inTime;
		}
		void checking.then((check) => {
			this.#late = check;
			this.show();
		});
		return { kind: 'running' };
	}

	/** For when the page was opened, too. */
	show(): void {
		if (this.#late !== undefined && this.#page.isOpen()) {
			this.#page.renew();
		}
	}
}
