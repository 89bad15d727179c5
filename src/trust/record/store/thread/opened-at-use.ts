/** A database that is opened at its first use, and again at the next one when that fails: a full disk may have room later. */

interface Opened<S> {
	readonly store: S;
	close(): void;
}

export class OpenedAtUse<S> {
	readonly #open: (isThorough: boolean) => Opened<S>;
	#current: Opened<S> | undefined;
	#isDoubted = false;

	constructor(open: (isThorough: boolean) => Opened<S>) {
		this.#open = open;
	}

	get(): S {
		this.#current ??= this.#open(this.#isDoubted);
		this.#isDoubted = false;
		return this.#current.store;
	}

	close(): void {
		this.#current?.close();
		this.#current = undefined;
	}

	/** The next use looks at the file thoroughly before it trusts it again. */
	doubt(): void {
		this.#isDoubted = true;
		try {
			this.#current?.close();
		} catch {
			// The database failed already, which is reported; closing has nothing left to save.
		}
		this.#current = undefined;
	}
}
