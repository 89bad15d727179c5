/** Ownership: whatever is acquired is added to a store on the line that creates it, and ends with that store. */
export interface Disposable {
	dispose(): void;
}

/** Makes a disposable of a function that runs at most once. */
export function toDisposable(end: () => void): Disposable {
	let ended = false;
	return {
		dispose() {
			if (!ended) {
				ended = true;
				end();
			}
		},
	};
}

/**
 * Ends its members, newest first. A member added after the end ends at once. Errors of single members are collected: every
 * member is ended, then one AggregateError is thrown.
 */
export class DisposableStore implements Disposable {
	readonly #members = new Set<Disposable>();
	#disposed = false;

	get isDisposed(): boolean {
		return this.#disposed;
	}

	add<T extends Disposable>(member: T): T {
		if (this.#disposed) {
			member.dispose();
		} else {
			this.#members.add(member);
		}
		return member;
	}

	/** Forgets a member without ending it. */
	delete(member: Disposable): void {
		this.#members.delete(member);
	}

	dispose(): void {
		this.#disposed = true;
		const members = [...this.#members].reverse();
		this.#members.clear();
		const errors: unknown[] = [];
		for (const member of members) {
			try {
				member.dispose();
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) {
			throw new AggregateError(errors, `${errors.length} of ${members.length} disposables did not end cleanly`);
		}
	}
}

/** Holds one replaceable disposable; assigning ends the old one. */
export class MutableDisposable<T extends Disposable> implements Disposable {
	#value: T | undefined;
	#disposed = false;

	get value(): T | undefined {
		return this.#value;
	}

	set value(next: T | undefined) {
		if (next === this.#value) {
			return;
		}
		const old = this.#value;
		// Owned before the old one ends: an end that throws must not lose it.
		this.#value = this.#disposed ? undefined : next;
		if (this.#disposed) {
			next?.dispose();
		}
		old?.dispose();
	}

	dispose(): void {
		this.#disposed = true;
		const old = this.#value;
		this.#value = undefined;
		old?.dispose();
	}
}
