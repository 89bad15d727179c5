/** Benchmark of presenting a file to a model when its lines have the greatest permitted length. */
import { ops } from '../src/protocol/op-table/ops.ts';
import { type Figure, ms, processorTime } from './measure.ts';

const LINES = 500;
const LINE_CHARS = 2_000;
const BAR_MS = 50;

/** To look for a long line from each place of a short one would take 500 ms and more. */
export function presentedFigures(): Promise<Figure[]> {
	const text = `${Array.from({ length: LINES }, () => 'x'.repeat(LINE_CHARS)).join('\n')}\n`;
	const page = { path: 'a', text, startLine: 1, endLine: LINES, totalLines: LINES, truncated: false, unsaved: false };
	const took = processorTime(() => ops['fs.read'].present(page));
	return Promise.resolve([
		{
			goal: 'presented',
			what: `processor time to show a file of ${LINES} lines of ${LINE_CHARS} characters`,
			measured: ms(took),
			bar: `<= ${BAR_MS} ms`,
			met: took <= BAR_MS,
		},
	]);
}
