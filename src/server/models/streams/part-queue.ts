/**
 * Queue of parts that one side pushes and the other takes, in order. Only one taker is allowed. Parts pushed before the
 * end or a failure come first.
 */
export class PartQueue<T> {
	readonly #parts: T[] = [];
	#wake: (() => void) | undefined;
	#end: { readonly error?: unknown } | undefined;

	push(part: T): void {
		if (this.#end === undefined) {
			this.#parts.push(part);
			this.#wake?.();
		}
	}

	end(): void {
		this.#end ??= {};
		this.#wake?.();
	}

	fail(error: unknown): void {
		this.#end ??= { error };
		this.#wake?.();
	}

	/** Undefined at the end; throws what it failed with. */
	async take(): Promise<T | undefined> {
		while (this.#parts.length === 0) {
			if (this.#end !== undefined) {
				if ('error' in this.#end) {
					throw this.#end.error;
				}
				return undefined;
			}
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
			this.#wake = undefined;
		}
		return this.#parts.shift();
	}
}
