/** A drawn result as lines of plain text: for a terminal, and for a thread that is exported. */
import { joinToLine } from '../../base/text/one-line.ts';
import { inEnglish } from './text.ts';
import type { DrawnResult, ResultPlace } from './output-view.ts';

/** A column is cut at this width, or one long text would push all others out of sight. */
const MAX_COLUMN_CHARS = 60;
const SHORTENED = '… shortened; --json prints all of it';

/** `show` makes a text that others wrote fit for one line of where it is shown. */
export function drawnInText(drawn: DrawnResult, show: (text: string) => string): string {
	const line = (text: string) => show(joinToLine(text));
	const facts = ('facts' in drawn ? (drawn.facts ?? []) : []).map(({ name, text }) => `${line(name)}: ${line(text)}`);
	const lines = [...facts, ...(facts.length === 0 ? [] : ['']), ...bodyLines(drawn, line, show)];
	const left = 'rows' in drawn ? drawn.total - drawn.rows.length : 0;
	return [
		...lines,
		...(left > 0 && 'rows' in drawn
			? [`… ${drawn.rows.length} of ${drawn.total} shown; --json prints all of them`]
			: []),
		...('isCut' in drawn && drawn.isCut ? [SHORTENED] : []),
	].join('\n');
}

function bodyLines(drawn: DrawnResult, line: (text: string) => string, show: (text: string) => string): string[] {
	const splitLines = (text: string) =>
		text.split('\n').map((each) => show(each.replaceAll('\t', '    ').replace(/\r$/, '')));
	if ('rows' in drawn && drawn.rows.length === 0) return ['Nothing.'];
	switch (drawn.view) {
		case 'table':
			return padColumns(
				[drawn.columns, ...drawn.rows.map((row) => row.map(({ text }) => text))].map((row) => row.map(line)),
			);
		case 'places':
			return padColumns(
				drawn.rows.map(({ place, text }) => [place === undefined ? '' : line(placeInText(place)), line(text)]),
			);
		case 'checklist':
			return drawn.rows.map(
				({ isDone, text, place }) =>
					`${isDone ? '✔' : '☐'} ${line(text)}${place === undefined ? '' : `  ${line(placeInText(place))}`}`,
			);
		case 'diff':
			return drawn.rows.flatMap(({ place, patch, isCut }) => [
				...(place === undefined ? [] : [line(placeInText(place))]),
				...splitLines(patch.trimEnd()),
				...(isCut ? [SHORTENED] : []),
			]);
		case 'markdown':
		case 'text':
			return splitLines(drawn.text.trimEnd());
		case 'json':
			return [...(drawn.why === undefined ? [] : [line(inEnglish(drawn.why)), '']), ...splitLines(drawn.text)];
	}
}

export function placeInText({ path, line }: ResultPlace): string {
	return line === undefined ? path : `${path}:${line}`;
}

/** Columns as wide as their widest cell; the last one keeps its length. */
function padColumns(rows: readonly (readonly string[])[]): string[] {
	const widthAt = (at: number) =>
		Math.min(MAX_COLUMN_CHARS, Math.max(...rows.map((row) => [...(row[at] ?? '')].length)));
	const widths = (rows[0] ?? []).map((_, at) => widthAt(at));
	return rows.map((row) =>
		row
			.map((cell, at) => {
				const characters = [...cell];
				if (at === row.length - 1) return cell;
				const most = widths[at] ?? 0;
				const shown = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : cell;
				return shown + ' '.repeat(Math.max(0, most - characters.length));
			})
			.join('  ')
			.trimEnd(),
	);
}
