/** Ends the wait of a turn before a retry, because the user would rather have the next model now. */
export class WaitSkips {
	#waiting: AbortController | undefined;

	/** Aborts when somebody has had enough of this wait; `over` is called when it has passed. */
	begin(): { readonly signal: AbortSignal; over(): void } {
		const waiting = new AbortController();
		this.#waiting = waiting;
		return {
			signal: waiting.signal,
			over: () => {
				this.#waiting = this.#waiting === waiting ? undefined : this.#waiting;
			},
		};
	}

	/** Does nothing where nothing waits. */
	skip(): void {
		this.#waiting?.abort();
	}
}
