/** The choice made before any model: fast path and strategy of each prompt of our own list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseStrategy, findFastPath } from '../src/server/decision/decide.ts';
import { type Figure, median, ms } from './measure.ts';

const PROMPTS = join(import.meta.dirname, '../test/fixtures/strategies/prompts.txt');
const TRIES = 5;
const BAR_MS = 1;
/** A message with much pasted into it. */
const LONG_CHARS = 100_000;

export function decisionFigures(): Promise<Figure[]> {
	const prompts = readFileSync(PROMPTS, 'utf8')
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => line.slice(line.indexOf(' ') + 1).replaceAll('\\n', '\n'));
	const short = prompts.map(fastest);
	const long = prompts.map((text) =>
		fastest(`${text}\n${'first this, then every day all files '.repeat(LONG_CHARS / 38)}`),
	);
	return Promise.resolve([
		figureOf(`the decision on each of ${prompts.length} prompts, the slowest`, short),
		figureOf(`the same with ${LONG_CHARS} characters behind each, the slowest`, long),
	]);
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
