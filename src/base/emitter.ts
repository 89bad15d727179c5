import { type Disposable, toDisposable } from './disposable.ts';

/** Announces state. Calls make things happen; events only tell. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owner's end of an event. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements Disposable {
	/** Entries, one for each subscription: the same function may subscribe twice. */
	readonly #subscriptions = new Set<{ readonly listener: (value: T) => void }>();
	#disposed = false;

	readonly event: Event<T> = (listener) => {
		const subscription = { listener };
		if (!this.#disposed) {
			this.#subscriptions.add(subscription);
		}
		return toDisposable(() => this.#subscriptions.delete(subscription));
	};

	fire(value: T): void {
		const errors: unknown[] = [];
		for (const subscription of [...this.#subscriptions]) {
			// Ended by a listener before it.
			if (!this.#subscriptions.has(subscription)) {
				continue;
			}
			try {
				subscription.listener(value);
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) {
			throw new AggregateError(errors, `${errors.length} listeners failed`);
		}
	}

	dispose(): void {
		this.#disposed = true;
		this.#subscriptions.clear();
	}
}
