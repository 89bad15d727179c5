/**
 * A breaker for each provider: one that failed three times in a minute is left alone for a minute, and then asked once to see
 * whether it answers again. It only changes who is asked first: a provider without an alternative is asked all the same.
 */
import { limits } from '../limits.ts';

interface Breaker {
	/** When it failed, in ms, within the last minute. */
	faults: number[];
	/** How often since it answered last. */
	failures: number;
	openedAt: number | undefined;
	/** When somebody was let through to see whether it answers again. */
	probedAt: number | undefined;
}

const UNHURT: Breaker = { faults: [], failures: 0, openedAt: undefined, probedAt: undefined };

export class Breakers {
	readonly #now: () => number;
	readonly #changed: () => void;
	readonly #breakers = new Map<string, Breaker>();

	/** `changed`: a provider is passed over from now on, or is not any more. `now`: milliseconds that only grow. */
	constructor(changed: () => void = () => {}, now: () => number = () => performance.now()) {
		this.#changed = changed;
		this.#now = now;
	}

	/** Whether the provider is to be passed over. Once its minute is over, one caller in a minute is let through. */
	passesOver(provider: string): boolean {
		const wouldPassOver = this.wouldPassOver(provider);
		const breaker = this.#breakers.get(provider);
		if (breaker?.openedAt !== undefined && !wouldPassOver) {
			breaker.probedAt = this.#now();
		}
		return wouldPassOver;
	}

	/** The same for a caller who only names the provider: asking changes nothing, so nobody is let through. */
	wouldPassOver(provider: string): boolean {
		const breaker = this.#breakers.get(provider);
		return (
			breaker?.openedAt !== undefined && this.#now() - (breaker.probedAt ?? breaker.openedAt) < limits.breakerOpenMs
		);
	}

	failed(provider: string): void {
		const breaker = this.#breakers.get(provider) ?? { ...UNHURT };
		this.#breakers.set(provider, breaker);
		const now = this.#now();
		breaker.failures += 1;
		breaker.faults = [...breaker.faults.filter((at) => now - at < limits.breakerWindowMs), now];
		if (breaker.probedAt !== undefined || breaker.faults.length >= limits.breakerFaults) {
			breaker.openedAt = now;
			breaker.probedAt = undefined;
			this.#changed();
		}
	}

	/** How often it has failed since it answered last. */
	failuresOf(provider: string): number {
		return this.#breakers.get(provider)?.failures ?? 0;
	}

	answered(provider: string): void {
		const isOpen = this.#breakers.get(provider)?.openedAt !== undefined;
		this.#breakers.delete(provider);
		if (isOpen) {
			this.#changed();
		}
	}

	/** Providers that are passed over now, with the seconds until they are asked again. */
	open(): readonly { readonly provider: string; readonly seconds: number }[] {
		const now = this.#now();
		return [...this.#breakers].flatMap(([provider, { openedAt }]) =>
			openedAt === undefined || now - openedAt >= limits.breakerOpenMs
				? []
				: [{ provider, seconds: Math.ceil((limits.breakerOpenMs - (now - openedAt)) / 1000) }],
		);
	}

	reset(): void {
		for (const provider of [...this.#breakers.keys()]) {
			this.answered(provider);
		}
	}
}
