/**
 * Draws a result by the view that its manifest declares. Authors write results, so any shape may come: what does not fit is
 * JSON with the reason, and everything is cut to limits. Texts stay as they are; whoever shows them escapes them.
 */
import { isPlainData } from '../../base/text/lenient.ts';
import { cutText, isBlank, joinToLine } from '../../base/text/one-line.ts';
import { text, type Text } from './text.ts';
import type { DrawnResult, OutputView, ResultPlace } from './output-view.ts';

interface DrawingLimits {
	readonly rows: number;
	readonly columns: number;
	/** Characters of a cell, of a line of a list, and of a fact. */
	readonly cellChars: number;
	/** Characters of all rows, and of a text. */
	readonly chars: number;
}

/** A card is stored with its thread. */
export const cardDrawing: DrawingLimits = { rows: 100, columns: 8, cellChars: 300, chars: 30_000 };
/** The page of a run, and a terminal. */
export const wholeDrawing: DrawingLimits = { rows: 1_000, columns: 12, cellChars: 2_000, chars: 300_000 };

/** Rows from whose names the columns of a table are taken. */
const ROWS_FOR_COLUMNS = 20;
const MAX_FACTS = 8;
const MAX_PATH_CHARS = 4_096;

type Rows<V extends DrawnResult['view']> = Extract<DrawnResult, { view: V; rows: unknown }>['rows'];

/** `output`: as the manifest declares it; undefined: plain words, or JSON. Never throws for plain data. */
export function drawResult(output: OutputView | undefined, result: unknown, limits: DrawingLimits): DrawnResult {
	if (output === undefined) return drawAsWritten(result, limits);
	const { view, from } = output;
	const value = from === undefined ? result : findMember(result, from);
	const what = from ?? 'result';
	if (value === undefined) {
		return drawAsWritten(
			result,
			limits,
			text('The result has no "{from}", so all of it is shown as JSON.', { from: what }),
		);
	}
	const facts = from === undefined ? {} : factsBeside(result, from, limits);
	if (value === null) {
		return view === 'markdown'
			? { view, text: '', isCut: false, ...facts }
			: { view: 'places', rows: [], total: 0, ...facts };
	}
	if (view === 'markdown') {
		return typeof value === 'string'
			? { view, ...cutWords(value, limits.chars), ...facts }
			: drawAsWritten(result, limits, text('"{from}" is no text, so the result is shown as JSON.', { from: what }));
	}
	const list: readonly unknown[] | undefined = Array.isArray(value) ? value : view === 'diff' ? [value] : undefined;
	if (list === undefined) {
		return drawAsWritten(result, limits, text('"{from}" is no list, so the result is shown as JSON.', { from: what }));
	}
	const createFallback = (at: number) =>
		drawAsWritten(
			result,
			limits,
			text('Entry {n} of "{from}" does not fit the view {view}, so the result is shown as JSON.', {
				n: at + 1,
				from: what,
				view,
			}),
		);
	switch (view) {
		case 'table':
			return { ...createTable(list, output.columns, limits), total: list.length, ...facts };
		case 'places': {
			const [rows, at] = readRows(list, readPlaces, limits);
			return at === undefined
				? { view, rows: rows.slice(0, limits.rows), total: countPlaces(list), ...facts }
				: createFallback(at);
		}
		case 'checklist': {
			const [rows, at] = readRows(list, readCheck, limits);
			return at === undefined ? { view, rows, total: list.length, ...facts } : createFallback(at);
		}
		case 'diff': {
			const [rows, at] = readRows(list, readPatch, limits);
			return at === undefined ? { view, rows, total: list.length, ...facts } : createFallback(at);
		}
	}
}

/** Words as they are, all else as JSON. */
function drawAsWritten(result: unknown, { chars }: DrawingLimits, why?: Text): DrawnResult {
	const isWords = typeof result === 'string';
	const words = isWords ? result : (JSON.stringify(result, null, 2) ?? '');
	return { view: isWords ? 'text' : 'json', ...cutWords(words, chars), ...(why === undefined ? {} : { why }) };
}

function cutWords(words: string, chars: number): { readonly text: string; readonly isCut: boolean } {
	return { text: cutText(words, chars), isCut: words.length > chars };
}

/** Reads entries until there are enough; the number is that of the first that does not fit. */
function readRows<Row>(
	list: readonly unknown[],
	read: (entry: unknown, limits: DrawingLimits) => readonly Row[] | undefined,
	limits: DrawingLimits,
): [rows: Row[], odd: number | undefined] {
	const rows: Row[] = [];
	let chars = 0;
	for (const [at, entry] of list.entries()) {
		if (rows.length >= limits.rows || chars >= limits.chars) break;
		const added = read(entry, limits);
		if (added === undefined) return [rows, at];
		rows.push(...added);
		chars += JSON.stringify(added).length;
	}
	return [rows, undefined];
}

/** An entry with several lines is a place for each of them. */
function readPlaces(entry: unknown, { cellChars, rows }: DrawingLimits): Rows<'places'> | undefined {
	const file = readFilePlace(entry);
	if (!isPlainData(entry)) return file === undefined ? undefined : [{ place: file, text: '' }];
	const words = wordsBeside(entry, cellChars);
	if (file === undefined) return words === '' ? undefined : [{ text: words }];
	const lines: readonly unknown[] = Array.isArray(entry['lines']) ? entry['lines'] : [];
	return lines.length === 0
		? [{ place: { ...file, ...readLineNumber(entry['line']) }, text: words }]
		: lines.slice(0, rows).map((line) => ({ place: { ...file, ...readLineNumber(line) }, text: words }));
}

function countPlaces(list: readonly unknown[]): number {
	const countLines = (entry: unknown) =>
		isPlainData(entry) && Array.isArray(entry['lines']) ? entry['lines'].length : 0;
	return list.reduce<number>((sum, entry) => sum + Math.max(1, countLines(entry)), 0);
}

function readCheck(entry: unknown, { cellChars }: DrawingLimits): Rows<'checklist'> | undefined {
	if (!isPlainData(entry) || typeof entry['done'] !== 'boolean') return undefined;
	const file = readFilePlace(entry);
	return [
		{
			isDone: entry['done'],
			text: wordsBeside(entry, cellChars),
			...(file === undefined ? {} : { place: { ...file, ...readLineNumber(entry['line']) } }),
		},
	];
}

function readPatch(entry: unknown, { chars }: DrawingLimits): Rows<'diff'> | undefined {
	const written = isPlainData(entry) ? (entry['patch'] ?? entry['diff']) : entry;
	if (typeof written !== 'string') return undefined;
	const { text: patch, isCut } = cutWords(written, chars);
	const file = isPlainData(entry) ? readFilePlace(entry) : undefined;
	return [{ patch, isCut, ...(file === undefined ? {} : { place: file }) }];
}

function createTable(
	list: readonly unknown[],
	named: readonly string[] | undefined,
	limits: DrawingLimits,
): Pick<Extract<DrawnResult, { view: 'table' }>, 'view' | 'columns' | 'rows'> {
	const first = list.slice(0, ROWS_FOR_COLUMNS);
	const widest = Math.max(0, ...first.map((row) => (Array.isArray(row) ? row.length : 0)));
	const found = named ?? [...new Set(first.filter(isPlainData).flatMap((row) => Object.keys(row)))];
	const hasNames = found.length > 0;
	const columns = (hasNames ? found : Array.from({ length: Math.max(1, widest) }, (_, at) => String(at + 1))).slice(
		0,
		limits.columns,
	);
	const readCells = (row: unknown): unknown[] =>
		isPlainData(row)
			? columns.map((name) => findMember(row, name))
			: columns.map((_, at): unknown => (Array.isArray(row) ? (row as unknown[])[at] : at === 0 ? row : undefined));
	const [rows] = readRows(
		list,
		(row) => [
			readCells(row).map((cell, at) => {
				const place = isFileName(columns[at] ?? '') ? readFilePlace(cell) : undefined;
				return {
					text: cutText(describeValue(cell), limits.cellChars),
					...(place === undefined ? {} : { place: { ...place, ...readLineNumber(findMember(row, 'line')) } }),
				};
			}),
		],
		limits,
	);
	return { view: 'table', columns: columns.map((name) => cutText(name, limits.cellChars)), rows };
}

/** Names of the members that hold the path of a file. */
function isFileName(name: string): boolean {
	return name === 'file' || name === 'path';
}

function readFilePlace(entry: unknown): ResultPlace | undefined {
	const path = isPlainData(entry) ? (entry['file'] ?? entry['path']) : entry;
	return typeof path === 'string' && path !== '' && path.length <= MAX_PATH_CHARS && !/\p{Cc}/u.test(path)
		? { path }
		: undefined;
}

function readLineNumber(line: unknown): { readonly line?: number } {
	return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? { line } : {};
}

/** Joins what an entry says beside where it is and whether it is done. */
function wordsBeside(entry: Readonly<Record<string, unknown>>, chars: number): string {
	const said = Object.entries(entry).filter(
		([name]) => !isFileName(name) && !['line', 'lines', 'column', 'done'].includes(name),
	);
	const words = said.map(([, value]) => joinToLine(cutText(describeValue(value), chars))).filter((each) => each !== '');
	return cutText(words.join(' · '), chars);
}

function describeValue(value: unknown): string {
	if (value === undefined || value === null) {
		return '';
	}
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Own members only: a result may have any names. */
function findMember(value: unknown, path: string): unknown {
	if (isPlainData(value) && Object.hasOwn(value, path)) return value[path];
	return path
		.split('.')
		.reduce<unknown>((at, name) => (isPlainData(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

/** Single values beside the part that is drawn, and small groups of them. */
function factsBeside(
	result: unknown,
	from: string,
	{ cellChars }: DrawingLimits,
): Pick<Extract<DrawnResult, { view: 'markdown' }>, 'facts'> {
	if (!isPlainData(result)) return {};
	const [drawn] = Object.hasOwn(result, from) ? [from] : from.split('.');
	const facts = Object.entries(result).flatMap(([name, value]) => {
		const words =
			isPlainData(value) && Object.values(value).every((each) => typeof each !== 'object')
				? Object.entries(value)
						.map(([key, each]) => `${key}: ${describeValue(each)}`)
						.join(', ')
				: typeof value === 'object'
					? ''
					: joinToLine(describeValue(value));
		return name === drawn || isBlank(words) ? [] : [{ name: cutText(name, 100), text: cutText(words, cellChars) }];
	});
	return facts.length === 0 ? {} : { facts: facts.slice(0, MAX_FACTS) };
}
