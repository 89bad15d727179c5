/** A value that takes time to make: made anew when it is old, while the one before still serves those who ask. */
import { orAborted, raceTimeout } from '../../base/time/bounded-wait.ts';

interface KeptValueOptions<T> {
	/** Says itself what went wrong; here, the one before then stays. */
	make(): Promise<T>;
	/**
	 * Identity of the subject of the value. A kept value of another subject is not returned, not even as an old one.
	 * Absent: the subject is always the same.
	 */
	of?(): unknown;
	/** Older than this, it is made anew when somebody asks. */
	readonly freshMs: number;
	/** Longest wait for a new value before the old one is returned. The first value is always waited for. */
	readonly patienceMs: number;
	/** In ms, as `performance.now`. */
	now(): number;
}

export class KeptValue<T> {
	readonly #options: KeptValueOptions<T>;
	#kept: { readonly value: T; readonly at: number; readonly of: unknown } | undefined;
	#making: Promise<T> | undefined;

	constructor(options: KeptValueOptions<T>) {
		this.#options = options;
	}

	async get(signal: AbortSignal): Promise<T> {
		const { freshMs, patienceMs, now } = this.#options;
		const kept = this.#kept;
		if (kept === undefined || kept.of !== this.#options.of?.()) {
			return await orAborted(this.#make(), signal);
		}
		if (now() - kept.at <= freshMs) {
			return kept.value;
		}
		const made = this.#make().catch(() => kept.value);
		return (await orAborted(raceTimeout(made, patienceMs), signal)) ?? kept.value;
	}

	/** Once at a time. */
	#make(): Promise<T> {
		this.#making ??= this.#makeNow().finally(() => {
			this.#making = undefined;
		});
		return this.#making;
	}

	async #makeNow(): Promise<T> {
		const [at, of] = [this.#options.now(), this.#options.of?.()];
		const value = await this.#options.make();
		this.#kept = { value, at, of };
		return value;
	}
}
