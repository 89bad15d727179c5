/** Reciprocal rank fusion: rankings that count in different units become one, by the places alone. */
import { memoryLimits } from './limits.ts';

interface Ranking {
	/** Best first, each once. */
	readonly numbers: readonly number[];
	readonly weight: number;
}

/** All that are in a ranking, best first; of two that are equal, the one that an earlier ranking puts first. */
export function fuseRankings(rankings: readonly Ranking[]): readonly number[] {
	const scores = new Map<number, number>();
	for (const { numbers, weight } of rankings) {
		for (const [place, number] of numbers.entries()) {
			scores.set(number, (scores.get(number) ?? 0) + weight / (memoryLimits.rankConstant + place + 1));
		}
	}
	return [...scores].sort(([, a], [, b]) => b - a).map(([number]) => number);
}
