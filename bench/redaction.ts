/** The search for secrets in code, and in texts made to be slow for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redactor } from '../src/trust/record/redaction/redactor.ts';
import { seeded } from '../test/support/seeded.ts';
import { slowText, slowUnit, slowUnits } from '../test/support/slow-texts.ts';
import { type Figure, median, ms, processorTime } from './measure.ts';

const MADE_UP = 200;
const CHARS = 1_000_000;
const TRIES = 3;
/** Length of text that the bar is set for; measured times are scaled to it. */
const BAR_CHARS = 4_000_000;
const BAR_MS = 250;

export function redactionFigures(): Promise<Figure[]> {
	const redactor = new Redactor();
	const code = codeBelow(join(import.meta.dirname, '../src'));
	const ofCode = fastest(() => redactor.redact(code)) * (BAR_CHARS / code.length);
	const random = seeded(29);
	const units = [...slowUnits, ...Array.from({ length: MADE_UP }, () => slowUnit(random))];
	const slow = units.map((unit) => {
		const text = slowText(unit, CHARS);
		return { unit, took: fastest(() => redactor.redact(text)) * (BAR_CHARS / CHARS) };
	});
	const worst = slow.reduce((a, b) => (b.took > a.took ? b : a));
	return Promise.resolve([
		{
			goal: 'redaction',
			what: 'processor time of 4 MB of code',
			measured: ms(ofCode),
			bar: 'none',
			met: undefined,
		},
		{
			goal: 'redaction',
			what: `processor time of 4 MB of a text made to be slow, worst of ${slow.length}`,
			measured: `${ms(worst.took)} (${JSON.stringify(worst.unit)}; median ${ms(median(slow.map(({ took }) => took)))})`,
			bar: `<= ${BAR_MS} ms`,
			met: worst.took <= BAR_MS,
		},
	]);
}

/** The least that it takes: what interrupts it does not count. */
function fastest(work: () => unknown): number {
	return Math.min(...Array.from({ length: TRIES }, () => processorTime(work)));
}

function codeBelow(folder: string): string {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
		.join('\n');
}
