/** The choice made before any model: fast path and strategy of each prompt of our own lists, and how often it is right. */
import { chooseStrategy, findFastPath } from '../src/server/decision/decide.ts';
import { findStrategy, readLabelled, readOrdinary } from '../test/support/prompt-corpus.ts';
import { type Figure, median, ms } from './measure.ts';

const TRIES = 5;
const BAR_MS = 1;
/** A message with much pasted into it. */
const LONG_CHARS = 100_000;

export function decisionFigures(): Promise<Figure[]> {
	const prompts = readLabelled('prompts').map(({ text }) => text);
	const short = prompts.map(fastest);
	const long = prompts.map((text) =>
		fastest(`${text}\n${'first this, then every day all files '.repeat(LONG_CHARS / 38)}`),
	);
	return Promise.resolve([
		figureOf(`the decision on each of ${prompts.length} prompts, the slowest`, short),
		figureOf(`the same with ${LONG_CHARS} characters behind each, the slowest`, long),
		...choiceFigures(),
	]);
}

const MOST_INTERRUPTED = 0.005;
const FEWEST_FOUND = 0.8;

/** Measures the choice. Others label orders for large work as direct ones, so nothing may interrupt an order for a goal either. */
function choiceFigures(): Figure[] {
	const orders = ['orders', 'later-orders', 'fresh'].flatMap(readLabelled).filter(({ label }) => label !== 'D');
	const others = [
		...['ordinary', 'later-ordinary'].flatMap(readOrdinary),
		...readLabelled('fresh').flatMap(({ label, text }) => (label === 'D' ? [text] : [])),
		...orders.flatMap(({ label, text }) => (label === 'G' ? [text] : [])),
	];
	const interrupted = others.filter((text) => chooseStrategy(text) !== 'DIRECT_RESPONSE').length / others.length;
	const found = orders.filter(({ text, wanted }) => findStrategy(text) === wanted).length / orders.length;
	return [
		{
			goal: 'decision',
			what: `messages that a card or question meets, of ${others.length} without an order or with one for a goal`,
			measured: percent(interrupted),
			bar: `<= ${percent(MOST_INTERRUPTED)}`,
			met: interrupted <= MOST_INTERRUPTED,
		},
		{
			goal: 'decision',
			what: `orders whose strategy is followed, or offered beside the answer, of ${orders.length}`,
			measured: percent(found),
			bar: `>= ${percent(FEWEST_FOUND)}`,
			met: found >= FEWEST_FOUND,
		},
	];
}

function percent(share: number): string {
	return `${(share * 100).toFixed(1)} %`;
}

function figureOf(what: string, times: readonly number[]): Figure {
	const worst = Math.max(...times);
	return {
		goal: 'decision',
		what,
		measured: `${ms(worst)} (median ${ms(median(times))})`,
		bar: `< ${BAR_MS} ms`,
		met: worst < BAR_MS,
	};
}

/** In ms. The fastest of a few: what else the machine does is not the decision's. */
function fastest(text: string): number {
	const times = Array.from({ length: TRIES }, () => {
		const began = performance.now();
		findFastPath(text, { isFirst: true });
		chooseStrategy(text);
		return performance.now() - began;
	});
	return Math.min(...times);
}
