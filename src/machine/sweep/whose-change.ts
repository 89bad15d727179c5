/**
 * Judges whose the changes are that were found beside a command. The system does not say who wrote a file: what is known
 * of others, and when the command's processes ran, decides. Pure.
 */
import { STAMP_STEP_MS } from './limits.ts';
import type { WrittenByOthers } from './writes-beside.ts';

/** Time in which no process of a command ran; milliseconds of the wall clock. */
export interface IdleTime {
	readonly fromMs: number;
	readonly toMs: number;
}

interface KnownOfOthers {
	/** Time of the look before, and of this one. */
	readonly since: number;
	readonly until: number;
	readonly rested: readonly IdleTime[];
	/** Longest time in which the command may have run. */
	readonly shownMs: number;
	/** No command of another owner ran meanwhile, in this host or in another. */
	readonly isAlone: boolean;
	/** Writes of other hosts meanwhile. */
	readonly others: WrittenByOthers;
}

export class Whose {
	readonly #known: KnownOfOthers;

	constructor(known: KnownOfOthers) {
		this.#known = known;
	}

	/** Writes of other hosts. */
	get others(): WrittenByOthers {
		return this.#known.others;
	}

	/**
	 * True when changes of these times are shown to be the command's: none came while all of its processes rested, for then
	 * somebody works in the folder who may have made each of them.
	 */
	areShown(changedMs: readonly number[]): boolean {
		const { since, until, rested, shownMs, isAlone } = this.#known;
		const restedMs = rested.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(since, fromMs)), 0);
		const ranMs = until - since - restedMs;
		const isBySomebody = (ms: number) =>
			rested.some(({ fromMs, toMs }) => ms > fromMs + STAMP_STEP_MS && ms < toMs - STAMP_STEP_MS);
		return isAlone && ranMs <= shownMs && !changedMs.some(isBySomebody);
	}
}

/** Adds a time after all others; two without a break between them become one. */
export function addRest(times: IdleTime[], time: IdleTime): void {
	const last = times.at(-1);
	if (last !== undefined && time.fromMs <= last.toMs) {
		times[times.length - 1] = { fromMs: last.fromMs, toMs: time.toMs };
	} else {
		times.push(time);
	}
}
