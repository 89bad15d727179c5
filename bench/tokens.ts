/** The estimate of tokens, against the tokenizer: how far off it is, and how much faster. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../src/server/models/windows/token-estimate.ts';
import { type Figure, ms, paired, ratio } from './measure.ts';

const ROUNDS = 5;
const BAR_PERCENT = 12;
const BAR_TIMES = 10;

export async function tokenFigures(): Promise<Figure[]> {
	const counted = JSON.parse(
		readFileSync(join(import.meta.dirname, '../test/fixtures/token-counts.json'), 'utf8'),
	) as Record<string, { readonly tokens: number; readonly text: string }>;
	const all = Object.values(counted);
	const off = all.map(({ tokens, text }) => Math.abs(100 * (estimateTokens(text) / tokens - 1)));
	const mean = off.reduce((sum, each) => sum + each, 0) / off.length;
	const files = sources();
	const megabytes = files.reduce((sum, text) => sum + text.length, 0) / 1e6;
	const timed = (count: (text: string) => number) => () => {
		const before = performance.now();
		for (const text of files) count(text);
		return Promise.resolve((performance.now() - before) / megabytes);
	};
	const times = await paired(ROUNDS, {
		estimate: timed(estimateTokens),
		// Our own sources name such tokens as text.
		tokenizer: timed((text) => countTokens(text, { disallowedSpecial: new Set() })),
	});
	const faster = times['tokenizer']?.ratio ?? 0;
	return [
		{
			goal: 'G13',
			what: `tokens that are estimated, off what o200k counts, mean of ${all.length} kinds of text`,
			measured: `${mean.toFixed(1)} % (worst ${Math.max(...off).toFixed(1)} %)`,
			bar: `<= ${BAR_PERCENT} %`,
			met: mean <= BAR_PERCENT,
		},
		{
			goal: 'G13',
			what: `time of the tokenizer for ${megabytes.toFixed(1)} MB of our own code, against the estimate`,
			measured: `${ratio(times['tokenizer'])} (${ms(times['tokenizer']?.value)} / ${ms(times['estimate']?.value)} per MB)`,
			bar: `>= ${BAR_TIMES}x`,
			met: faster >= BAR_TIMES,
		},
	];
}

/** Returns the texts of all sources, as they would be read into a context. */
function sources(): string[] {
	const folder = join(import.meta.dirname, '../src');
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => readFileSync(join(folder, name), 'utf8'));
}
