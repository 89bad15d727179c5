/**
 * Hands on what is pushed, in order, and no more than `perTurn` of it before the event loop comes round: what arrives in one
 * moment must not keep everything else waiting until the last of it is done with.
 */
export class PacedQueue<T> {
	readonly #perTurn: number;
	readonly #handOn: (item: T) => void;
	#waiting: T[] = [];
	#left: number;
	#comesRound = false;

	constructor(perTurn: number, handOn: (item: T) => void) {
		this.#perTurn = perTurn;
		this.#left = perTurn;
		this.#handOn = handOn;
	}

	/** At once when this turn has room, and nothing came before that still waits. */
	push(item: T): void {
		this.#waitForTurn();
		if (this.#left > 0 && this.#waiting.length === 0) {
			this.#left -= 1;
			this.#handOn(item);
		} else {
			this.#waiting.push(item);
		}
	}

	/** Everything now, because nothing will come any more. */
	flush(): void {
		const all = this.#waiting;
		this.#waiting = [];
		for (const item of all) {
			this.#handOn(item);
		}
	}

	#waitForTurn(): void {
		if (!this.#comesRound) {
			this.#comesRound = true;
			setImmediate(this.#turn);
		}
	}

	readonly #turn = (): void => {
		const now = this.#waiting.splice(0, this.#perTurn);
		this.#left = this.#perTurn - now.length;
		this.#comesRound = false;
		if (now.length > 0) {
			this.#waitForTurn();
		}
		for (const item of now) {
			this.#handOn(item);
		}
	};
}
