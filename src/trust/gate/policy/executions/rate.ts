/**
 * Limits how often an op may act in any 60 minutes. Counts effects that really began: in memory on the monotonic clock,
 * and in the ledger, which knows of other hosts and of the time before this one. The later of the two counts, so
 * neither a clock that jumps nor a restart frees a place. An op let in here has its place even before it begins; one
 * let in by another host counts once it has begun.
 */
import type { RiskLevel } from '../../../../protocol/ops/risk.ts';
import type { Settings } from '../../../../protocol/settings/settings.ts';
import type { LedgerPort } from '../../../record/ledger/ledger.ts';
import { RISK_LEVEL_RULES } from '../levels/levels.ts';
import { RATE_WINDOW_MS } from '../limits.ts';

interface RateClocks {
	monotonicMs(): number;
	wallMs(): number;
}

/** The limit that is reached, and when the next one is possible. */
interface ExceededRate {
	readonly limit: number;
	readonly waitMs: number;
	readonly nextAt: Date;
}

/** The place of one attempt in the window. */
export interface RatePlace {
	/** The effect begins: it counts for the whole window. */
	begin(): void;
	/** Gives the place back when the effect will not begin. Does nothing once it has begun. */
	leave(): void;
}

const systemClocks: RateClocks = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

export class Rate {
	readonly #begun = new Map<string, number[]>();
	/** Number of ops that were let in and have not begun. Keyed, like `#begun`, by op and beginning of its input. */
	readonly #entered = new Map<string, number>();
	readonly #ledger: Pick<LedgerPort, 'intentTimes'>;
	readonly #clocks: RateClocks;

	constructor(ledger: Pick<LedgerPort, 'intentTimes'>, clocks: RateClocks = systemClocks) {
		this.#ledger = ledger;
		this.#clocks = clocks;
	}

	/**
	 * A place for one more, held until it begins or leaves; or why there is none. `limit` 0: there always is. `inputStart`:
	 * only those whose input begins so are counted.
	 */
	async enter(
		op: string,
		limit: number,
		inputStart = '',
	): Promise<{ readonly place: RatePlace } | { readonly exceeded: ExceededRate }> {
		const since = this.#clocks.wallMs() - RATE_WINDOW_MS;
		const recorded = limit === 0 ? [] : await this.#ledger.intentTimes(op, since, limit, inputStart);
		const key = `${op} ${inputStart}`;
		// From here on nothing waits, so no two attempts see the same place.
		const exceeded = limit === 0 ? undefined : this.#exceeded(key, limit, recorded);
		return exceeded === undefined ? { place: this.#place(key) } : { exceeded };
	}

	#exceeded(key: string, limit: number, recorded: readonly number[]): ExceededRate | undefined {
		const now = this.#clocks.wallMs();
		const free = limit - this.#waiting(key);
		const createExceeded = (waitMs: number) => ({ limit, waitMs, nextAt: new Date(now + waitMs) });
		if (free <= 0) {
			return createExceeded(RATE_WINDOW_MS);
		}
		// A time in the future is a clock that was put back: it counts as now.
		const oldestRecorded = recorded.length < free ? undefined : Math.min(now, recorded[free - 1] ?? now) - now;
		const seen = this.#recent(key);
		const oldestSeen = seen.length < free ? undefined : (seen.at(-free) ?? 0) - this.#clocks.monotonicMs();
		const oldest = [oldestRecorded, oldestSeen].filter((ago) => ago !== undefined);
		return oldest.length === 0 ? undefined : createExceeded(Math.max(0, ...oldest.map((ago) => ago + RATE_WINDOW_MS)));
	}

	#place(key: string): RatePlace {
		this.#entered.set(key, this.#waiting(key) + 1);
		let isHeld = true;
		const leave = () => {
			if (isHeld) {
				isHeld = false;
				this.#entered.set(key, this.#waiting(key) - 1);
			}
		};
		return {
			leave,
			begin: () => {
				leave();
				const times = this.#recent(key);
				times.push(this.#clocks.monotonicMs());
				this.#begun.set(key, times);
			},
		};
	}

	count(op: string): number {
		return this.#recent(`${op} `).length;
	}

	#waiting(key: string): number {
		return this.#entered.get(key) ?? 0;
	}

	#recent(key: string): number[] {
		const since = this.#clocks.monotonicMs() - RATE_WINDOW_MS;
		const times = this.#begun.get(key) ?? [];
		const first = times.findIndex((at) => at > since);
		// They are in order, so this looks at no more than it takes away.
		times.splice(0, first === -1 ? times.length : first);
		return times;
	}
}

/** Returns the limit of the level, or the one that the user set where the level leaves it open; 0: only counted. */
export function limitPerHour(risk: RiskLevel, settings: Settings): number {
	switch (risk) {
		case 'CONTROLLED':
			return settings['prowess.approvals.perHour.controlled'];
		case 'RESTRICTED':
			return settings['prowess.approvals.perHour.restricted'];
		case 'SAFE':
		case 'MONITORED':
		case 'PRIVILEGED':
			return RISK_LEVEL_RULES[risk].perHour;
	}
}
