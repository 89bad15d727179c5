import { isDeepStrictEqual } from 'node:util';

/**
 * The rows of a view. The editor lets go of those it shows as soon as it hears of a change, and a command that is called on one
 * of them gets none until it has the new ones: so they are made before it hears of them, and it hears only of others.
 */
export class FollowedRows<Row> {
	readonly #make: () => Promise<readonly Row[]>;
	readonly #tell: () => void;
	/** Undefined before the first are made, and after they could not be. */
	#rows: readonly Row[] | undefined;
	#made: Promise<unknown> = Promise.resolve();
	/** The editor has asked since it was told: somebody sees them. */
	#isAsked = false;
	#isStale = false;
	#following: Promise<void> | undefined;

	/** `tell`: that they are others, or cannot be made. The editor asks then, if it shows the view. */
	constructor(make: () => Promise<readonly Row[]>, tell: () => void) {
		this.#make = make;
		this.#tell = tell;
	}

	/** For the editor; at once where some were made before. Rejects as `make` does. */
	async ask(): Promise<readonly Row[]> {
		this.#isAsked = true;
		if (this.#rows === undefined) {
			return await this.#next();
		}
		if (this.#isStale) {
			void this.follow();
		}
		return this.#rows;
	}

	/** They may be others. Resolves once the editor has been told, or need not be: they are the same, or nobody sees them. */
	async follow(): Promise<void> {
		this.#isStale = true;
		if (this.#isAsked) {
			this.#following ??= this.#follow();
			await this.#following;
		}
	}

	async #follow(): Promise<void> {
		try {
			while (this.#isStale && this.#isAsked) {
				await this.#made;
				const before = this.#rows;
				const now = await this.#next().catch(() => undefined);
				if (now === undefined || !isDeepStrictEqual(now, before)) {
					this.#isAsked = false;
					this.#tell();
				}
			}
		} finally {
			this.#following = undefined;
		}
	}

	/** Makes the rows one run after the other, so that no result replaces one that was begun after it. */
	#next(): Promise<readonly Row[]> {
		const next = this.#made.then(() => {
			this.#isStale = false;
			return this.#make();
		});
		this.#made = next.then(
			(rows) => (this.#rows = rows),
			() => (this.#rows = undefined),
		);
		return next;
	}
}
