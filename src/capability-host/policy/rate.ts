/**
 * How often an op may act in any 60 minutes. Counts what really began: in memory on the monotonic clock, and in the ledger,
 * which knows of other hosts and of the time before this one. The later of the two speaks, so a clock that jumps frees
 * nothing, nor does a restart.
 */
import type { RiskLevel } from '../../protocol/risk.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { LedgerPort } from '../ledger/ledger.ts';
import { LEVELS } from './levels.ts';
import { RATE_WINDOW_MS } from './limits.ts';

export interface RateClocks {
	monotonicMs(): number;
	wallMs(): number;
}

/** The limit that is reached, and when the next one is possible. */
export interface Exceeded {
	readonly limit: number;
	readonly waitMs: number;
	readonly nextAt: Date;
}

const systemClocks: RateClocks = { monotonicMs: () => performance.now(), wallMs: () => Date.now() };

export class Rate {
	readonly #begun = new Map<string, number[]>();
	readonly #ledger: Pick<LedgerPort, 'intentTimes'>;
	readonly #clocks: RateClocks;

	constructor(ledger: Pick<LedgerPort, 'intentTimes'>, clocks: RateClocks = systemClocks) {
		this.#ledger = ledger;
		this.#clocks = clocks;
	}

	/** Undefined when one more is allowed. `limit` 0: always. */
	async exceeded(op: string, limit: number): Promise<Exceeded | undefined> {
		if (limit === 0) {
			return undefined;
		}
		const now = this.#clocks.wallMs();
		const recorded = await this.#ledger.intentTimes(op, now - RATE_WINDOW_MS, limit);
		// A time in the future is a clock that was put back: it counts as now.
		const oldestRecorded = recorded.length < limit ? undefined : Math.min(now, recorded.at(-1) ?? now) - now;
		const seen = this.#recent(op);
		const oldestSeen = seen.length < limit ? undefined : (seen.at(-limit) ?? 0) - this.#clocks.monotonicMs();
		const oldest = [oldestRecorded, oldestSeen].filter((ago) => ago !== undefined);
		if (oldest.length === 0) {
			return undefined;
		}
		const waitMs = Math.max(0, ...oldest.map((ago) => ago + RATE_WINDOW_MS));
		return { limit, waitMs, nextAt: new Date(now + waitMs) };
	}

	/** An effect begins. */
	note(op: string): void {
		this.#begun.set(op, [...this.#recent(op), this.#clocks.monotonicMs()]);
	}

	count(op: string): number {
		return this.#recent(op).length;
	}

	#recent(op: string): number[] {
		const since = this.#clocks.monotonicMs() - RATE_WINDOW_MS;
		return (this.#begun.get(op) ?? []).filter((at) => at > since);
	}
}

/** Of the level, or what the user set where the level leaves it open; 0: only counted. */
export function limitPerHour(risk: RiskLevel, settings: Settings): number {
	switch (risk) {
		case 'CONTROLLED':
			return settings['prowess.approvals.perHour.controlled'];
		case 'RESTRICTED':
			return settings['prowess.approvals.perHour.restricted'];
		case 'SAFE':
		case 'MONITORED':
		case 'PRIVILEGED':
			return LEVELS[risk].perHour;
	}
}
