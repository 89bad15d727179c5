/**
 * Breakers, one for each provider: a provider that failed often within a short time is left alone for a while, and then
 * asked once to see whether it answers again. A setting says how often and how long. Breakers only change who is asked
 * first: a provider without an alternative is asked all the same.
 */
import { DEFAULT_PAUSE, type ModelPause } from '../../../protocol/turn/models.ts';

interface Breaker {
	/** When it failed, in ms, as far back as counts. */
	faults: number[];
	/** Number of failures since the last answer. */
	failures: number;
	/**
	 * End of the pause, in ms: the provider is passed over until then; undefined: no pause. A changed setting counts
	 * from the next pause on.
	 */
	pausedUntil: number | undefined;
	/** Somebody was let through to see whether it answers again; until then nobody else is. */
	probedUntil: number | undefined;
}

const UNHURT: Breaker = { faults: [], failures: 0, pausedUntil: undefined, probedUntil: undefined };

export class Breakers {
	readonly #changed: () => void;
	readonly #pause: () => ModelPause;
	readonly #now: () => number;
	readonly #breakers = new Map<string, Breaker>();

	/** `changed`: a provider is passed over from now on, or is not any more. `now`: milliseconds that only grow. */
	constructor(
		changed: () => void = () => {},
		pause: () => ModelPause = () => DEFAULT_PAUSE,
		now: () => number = () => performance.now(),
	) {
		this.#changed = changed;
		this.#pause = pause;
		this.#now = now;
	}

	/**
	 * Returns true when the provider is to be passed over. After its pause, lets one caller through to try the
	 * provider, and passes it over for as long again.
	 */
	passesOver(provider: string): boolean {
		const wouldPassOver = this.wouldPassOver(provider);
		const breaker = this.#breakers.get(provider);
		if (breaker?.pausedUntil !== undefined && !wouldPassOver) {
			breaker.probedUntil = this.#now() + this.#pauseMs();
		}
		return wouldPassOver;
	}

	/** The same for a caller who only names the provider: asking changes nothing, so nobody is let through. */
	wouldPassOver(provider: string): boolean {
		const breaker = this.#breakers.get(provider);
		const until = breaker && passedOverUntil(breaker);
		return until !== undefined && this.#now() < until;
	}

	failed(provider: string): void {
		const breaker = this.#breakers.get(provider) ?? { ...UNHURT };
		this.#breakers.set(provider, breaker);
		const { faults, withinSeconds } = this.#pause();
		const now = this.#now();
		breaker.failures += 1;
		breaker.faults = [...breaker.faults.filter((at) => now - at < withinSeconds * 1000), now];
		if (breaker.probedUntil !== undefined || breaker.faults.length >= faults) {
			breaker.pausedUntil = now + this.#pauseMs();
			breaker.probedUntil = undefined;
			this.#changed();
		}
	}

	/** Returns the number of failures since the last answer. */
	failuresOf(provider: string): number {
		return this.#breakers.get(provider)?.failures ?? 0;
	}

	answered(provider: string): void {
		const isPaused = this.#breakers.get(provider)?.pausedUntil !== undefined;
		this.#breakers.delete(provider);
		if (isPaused) {
			this.#changed();
		}
	}

	/** Providers that are passed over now, also those that one caller is just trying, with the seconds until they are asked again. */
	open(): readonly { readonly provider: string; readonly seconds: number }[] {
		const now = this.#now();
		return [...this.#breakers].flatMap(([provider, breaker]) => {
			const until = passedOverUntil(breaker);
			return until === undefined || now >= until ? [] : [{ provider, seconds: Math.ceil((until - now) / 1000) }];
		});
	}

	reset(): void {
		for (const provider of [...this.#breakers.keys()]) {
			this.answered(provider);
		}
	}

	#pauseMs(): number {
		return this.#pause().pauseSeconds * 1000;
	}
}

function passedOverUntil({ pausedUntil, probedUntil }: Breaker): number | undefined {
	return pausedUntil === undefined ? undefined : (probedUntil ?? pausedUntil);
}
