/** Waits until what a page tells has changed elsewhere, and only while the page is in sight. */
import type { BuiltPage } from './built-page.ts';

interface FollowedPage {
	/** False while the page is behind another tab. */
	isInSight(): boolean;
	/** Makes the page again, soon. */
	refresh(): void;
}

export class PageFollowing {
	readonly #page: FollowedPage;
	#changed: BuiltPage['changed'];
	#waiting: AbortController | undefined;

	constructor(page: FollowedPage) {
		this.#page = page;
	}

	/** The page was made: it is followed as this says, and no longer as before. Undefined: it is not followed. */
	begin(changed: BuiltPage['changed']): void {
		this.end();
		this.#changed = changed;
		this.noteSight(false);
	}

	/** The page may have come into sight, or be hidden. `isStale`: it was hidden, so nobody knows what has changed. */
	noteSight(isStale = true): void {
		if (this.#changed === undefined) return;
		if (!this.#page.isInSight()) this.#stop();
		else if (this.#waiting === undefined) {
			if (isStale) this.#page.refresh();
			else this.#wait(this.#changed);
		}
	}

	end(): void {
		this.#stop();
		this.#changed = undefined;
	}

	/** A look that fails is a change, too: the page is made again, and says why it cannot be. */
	#wait(changed: NonNullable<BuiltPage['changed']>): void {
		const waiting = new AbortController();
		this.#waiting = waiting;
		const onChange = () => {
			if (!waiting.signal.aborted) this.#page.refresh();
		};
		changed(waiting.signal).then(onChange, onChange);
	}

	#stop(): void {
		this.#waiting?.abort();
		this.#waiting = undefined;
	}
}
