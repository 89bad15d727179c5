/** So many at once; the others wait in the order in which they came. */
export class Slots {
	readonly #waiting: (() => void)[] = [];
	#free: number;

	constructor(count: number) {
		this.#free = count;
	}

	/** Resolves with what gives the place back. An abort ends only the wait: then it resolves at once, without a place. */
	async take(signal: AbortSignal): Promise<() => void> {
		if (signal.aborted) {
			return () => {};
		}
		if (this.#free > 0) {
			this.#free -= 1;
		} else {
			const hasPlace = await new Promise<boolean>((resolve) => {
				const takeSlot = () => {
					signal.removeEventListener('abort', leaveQueue);
					resolve(true);
				};
				const leaveQueue = () => {
					this.#waiting.splice(this.#waiting.indexOf(takeSlot), 1);
					resolve(false);
				};
				this.#waiting.push(takeSlot);
				signal.addEventListener('abort', leaveQueue, { once: true });
			});
			if (!hasPlace) {
				return () => {};
			}
		}
		let isBack = false;
		return () => {
			if (isBack) return;
			isBack = true;
			const next = this.#waiting.shift();
			if (next === undefined) this.#free += 1;
			else next();
		};
	}
}
