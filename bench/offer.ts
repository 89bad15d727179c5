/** The choice of what an agent is told of first, among 5,000 capabilities: how long it takes, and how far it may be from the best. */
import type { ItemChoice } from '../src/server/prompt/best-choice.ts';
import { closedChoice } from '../src/server/prompt/closed-choice.ts';
import { promptLimits } from '../src/server/prompt/limits.ts';
import { below, seeded } from '../test/support/seeded.ts';
import { type Figure, median, ms, processorTime } from './measure.ts';

const CANDIDATES = 5_000;
const CASES = 40;
const ROUNDS = 5;
/** Tokens for a list in windows of 75,000, 128,000 and 1,000,000. */
const ROOMS = [1_500, 2_560, 20_000];
/** Spacing of the candidates that need another one: the first of every 50. */
const NEEDING = 50;

export async function offerFigures(): Promise<Figure[]> {
	const random = seeded(19);
	const figures: Figure[] = [];
	for (const needing of [0, CANDIDATES / NEEDING]) {
		const cases = Array.from({ length: CASES }, () => ({
			items: Array.from({ length: CANDIDATES }, () => candidate(random)),
			needs: new Map(Array.from({ length: needing }, (_, at) => [at * NEEDING, [at * NEEDING + 1]])),
		}));
		const times: number[] = [];
		let gap = 0;
		let cutOff = 0;
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const [at, { items, needs }] of cases.entries()) {
				const room = ROOMS[at % ROOMS.length] ?? 0;
				let choice: ItemChoice | undefined;
				const time = processorTime(() => {
					choice = closedChoice(items, needs, room, promptLimits.choiceSteps);
				});
				// The first ones also compile it.
				if (round > 0) times.push(time);
				const { value = Number.NaN, bound = Number.NaN, isBest = false } = choice ?? {};
				gap = Math.max(gap, bound / value - 1);
				if (round === 0 && !isBest) cutOff += 1;
			}
		}
		const time = median(times);
		const of = needing === 0 ? '' : `, of which ${needing} need another one`;
		figures.push(
			{
				goal: 'offer',
				what: `processor time of the best choice among ${CANDIDATES} candidates${of}, median of ${times.length}`,
				measured: `${ms(time)} (one in ten over ${ms(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)])})`,
				bar: '<= 2 ms',
				met: time <= 2,
			},
			{
				goal: 'offer',
				what: `most that any other choice could be worth more${of}`,
				measured: `${(gap * 100).toFixed(3)} % (${cutOff} of ${CASES} cut off)`,
				bar: '<= 1 %',
				met: gap <= 0.01,
			},
		);
	}
	return await Promise.resolve(figures);
}

/** A line of 15 to 40 tokens, or with up to 300 more; one in ten is worth ten times as much. */
function candidate(random: () => number) {
	const short = { weight: 15 + below(random, 26), value: (1 + below(random, 50)) / 70 };
	const share = random() < 0.1 ? 10 : 1;
	return [
		short,
		{ weight: short.weight + 1 + below(random, 300), value: short.value + ((1 + below(random, 50)) / 7) * share },
	];
}
