/**
 * Replacements in order, all or none: of exact text first; then of the one place that differs only in what says nothing. Line ends are matched by
 * LF and kept as they are. Errors are for the model that wrote the edits: which one, why, and where to look.
 */
import { unescapeHidden } from '../../../base/text/hidden-characters.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { LooseEdit } from '../../../protocol/ops/definitions/files/files.ts';
import type { OpParams } from '../../../protocol/op-table/ops.ts';
import { explainNoMatch } from './explain-no-match.ts';
import { NAMED_LINES } from '../../limits.ts';
import { isCrOnly, LineEnds, toLf } from '../../line-ends.ts';
import { findLooseMatch, type FoundText, findAllStarts } from './loose-match.ts';
import { replacedLines } from './replaced-lines.ts';

type Edit = OpParams<'fs.edit'>['edits'][number];
type Texts = Pick<Edit, 'find' | 'replace'>;

interface Edited {
	readonly text: string;
	/** Edits whose `findEditPlaces` is not what the file had. */
	readonly loosely: readonly LooseEdit[];
}

interface FoundEdit {
	readonly texts: Texts;
	readonly differs: LooseEdit['differs'] | undefined;
	readonly places: readonly FoundText[];
}

export function applyEdits(path: string, text: string, edits: readonly Edit[]): Edited {
	if (isCrOnly(text)) {
		const edited = applyEdits(path, text.replaceAll('\r', '\n'), edits);
		return { ...edited, text: edited.text.replaceAll('\n', '\r') };
	}
	const loosely: LooseEdit[] = [];
	const result = edits.reduce((current, edit, index) => {
		const which = edits.length === 1 ? 'the edit' : `edit ${index + 1} of ${edits.length}`;
		const { after, loose } = applyEdit(path, current, edit, which, index + 1);
		loosely.push(...loose);
		return after;
	}, text);
	if (result === text) {
		throw new ProwessError('INVALID_PARAMS', `the edits leave ${path} as it is: find and replace are the same`, {
			path,
		});
	}
	return { text: result, loosely };
}

function applyEdit(
	path: string,
	text: string,
	edit: Edit,
	which: string,
	number: number,
): { readonly after: string; readonly loose: readonly LooseEdit[] } {
	const ends = new LineEnds(text);
	const found = findEditPlaces(ends.lf, edit);
	const [first] = found?.places ?? [];
	const after = found === undefined || first === undefined ? undefined : replaceFoundText(ends, found, edit.all);
	if (found === undefined || first === undefined || after === undefined) {
		const { why, line } = explainNoMatch(text, edit);
		const message = `${which} of ${path} matches nothing: ${why}; no edit was applied`;
		throw new ProwessError('EDIT_NO_MATCH', message, { path, edit: number, ...(line === undefined ? {} : { line }) });
	}
	if (found.places.length > 1 && !edit.all) {
		const lines = found.places.map(({ start }) => lineAt(ends.lf, start));
		const shown = lines.slice(0, NAMED_LINES).join(', ') + (lines.length > NAMED_LINES ? ', …' : '');
		const but = found.differs === undefined ? '' : `but for its ${found.differs} `;
		const message = `${which} of ${path} ${but}matches ${lines.length} times, at lines ${shown}: add lines around it, or set all; no edit was applied`;
		throw new ProwessError('EDIT_AMBIGUOUS', message, { path, edit: number, lines: lines.slice(0, NAMED_LINES) });
	}
	const { differs } = found;
	return { after, loose: differs === undefined ? [] : [{ edit: number, line: lineAt(ends.lf, first.start), differs }] };
}

function findEditPlaces(text: string, edit: Edit): FoundEdit | undefined {
	const written = inLf(edit);
	// A text is read with its hidden characters as escapes: what is found nowhere as it is written may mean those.
	const meant = inLf({ find: unescapeHidden(edit.find), replace: unescapeHidden(edit.replace) });
	for (const texts of [written, meant]) {
		const exact = findExactText(text, texts.find);
		if (exact.length > 0) {
			return { texts, differs: undefined, places: exact };
		}
	}
	const bare = withoutNumbers(written);
	const exact = bare === undefined ? [] : findExactText(text, bare.find);
	if (bare !== undefined && exact.length > 0) {
		return { texts: bare, differs: 'line numbers', places: exact };
	}
	const texts = bare ?? written;
	// To replace all of what is only alike would be a guess for each of them.
	const loose = edit.all ? undefined : findLooseMatch(text, texts.find);
	const [first] = loose?.places ?? [];
	if (loose?.hasOtherAccents === true && first !== undefined) {
		const there = text.slice(first.start, first.end);
		const form = there === there.normalize('NFD') ? 'NFD' : 'NFC';
		const inForm = { find: texts.find.normalize(form), replace: texts.replace.normalize(form) };
		return { texts: inForm, ...loose };
	}
	return loose === undefined ? undefined : { texts, ...loose };
}

function findExactText(text: string, wanted: string): FoundText[] {
	const keepIndent = (line: string) => line;
	return findAllStarts(text, wanted).map((start) => ({ start, end: start + wanted.length, indented: keepIndent }));
}

/** Number of a line as fs_read shows it: `12\ttext`. */
const LINE_NUMBER_PREFIX = /^ *\d+\t/;

function withoutNumbers({ find, replace }: Texts): Texts | undefined {
	const stripLineNumber = (line: string) => line.replace(LINE_NUMBER_PREFIX, '');
	const lines = find.replace(/\n$/, '').split('\n');
	const isNumbered = lines.every(
		(line, index) => Number.parseInt(line, 10) === Number.parseInt(lines[0] ?? '', 10) + index,
	);
	if (!isNumbered || !lines.every((line) => LINE_NUMBER_PREFIX.test(line))) {
		return undefined;
	}
	return {
		find: find.split('\n').map(stripLineNumber).join('\n'),
		replace: replace.split('\n').map(stripLineNumber).join('\n'),
	};
}

function replaceFoundText(
	ends: LineEnds,
	{ texts, differs, places: found }: FoundEdit,
	all: boolean,
): string | undefined {
	const isOwnForm = differs === undefined || differs === 'line numbers' || differs === 'form of accents';
	const isPlain = !ends.isMixed && isOwnForm;
	const plain = texts.replace.replaceAll('\n', ends.usual);
	let after = '';
	let from = 0;
	for (const { start, end, indented } of all ? found : found.slice(0, 1)) {
		const isAligned = differs !== 'trailing space' && differs !== 'indentation' && differs !== 'form of accents';
		const replaced = isPlain
			? plain
			: replacedLines({ ...texts, there: ends.slice(start, end), isAligned, indented, usualEnd: ends.usual });
		if (replaced === undefined) {
			return undefined;
		}
		after += ends.slice(from, start) + replaced;
		from = end;
	}
	return after + ends.slice(from);
}

function inLf({ find, replace }: Texts): Texts {
	return { find: toLf(find), replace: toLf(replace) };
}

function lineAt(text: string, index: number): number {
	return text.slice(0, index).split('\n').length;
}
