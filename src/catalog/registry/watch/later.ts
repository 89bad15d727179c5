/** Work that is done a while after it was wished for, and only for the last wish. */
export class Later<Wish> {
	readonly #afterMs: number;
	readonly #work: (wish: Wish) => Promise<void>;
	#pending: { readonly wish: Wish; readonly timer: NodeJS.Timeout } | undefined;
	#done: Promise<void> = Promise.resolve();

	/** Runs `work` for the last wish, `afterMs` after it; errors that `work` rejects with are lost. */
	constructor(afterMs: number, work: (wish: Wish) => Promise<void>) {
		this.#afterMs = afterMs;
		this.#work = work;
	}

	wish(wish: Wish): void {
		clearTimeout(this.#pending?.timer);
		this.#pending = { wish, timer: setTimeout(() => this.#begin(), this.#afterMs).unref() };
	}

	/** Begins what is pending, and resolves when nothing is left to do. Never rejects. */
	async settled(): Promise<void> {
		this.#begin();
		await this.#done;
	}

	#begin(): void {
		const { wish, timer } = this.#pending ?? {};
		this.#pending = undefined;
		clearTimeout(timer);
		if (wish !== undefined) {
			this.#done = this.#done.then(() => this.#work(wish)).catch(() => undefined);
		}
	}
}
