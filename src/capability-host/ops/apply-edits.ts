/**
 * Exact replacements in order, all or none. A text whose lines end with CRLF is matched by LF and keeps its endings.
 * Errors are for the model that wrote the edits: which one, why, and where to look.
 */
import { unescapeHidden } from '../../base/hidden-characters.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { OpParams } from '../../protocol/ops.ts';
import { explainNoMatch } from './explain-no-match.ts';
import { NAMED_LINES } from './limits.ts';

type Edit = OpParams<'fs.edit'>['edits'][number];

export function applyEdits(path: string, text: string, edits: readonly Edit[]): string {
	const result = edits.reduce((current, edit, index) => {
		const which = edits.length === 1 ? 'the edit' : `edit ${index + 1} of ${edits.length}`;
		return applyEdit(path, current, edit, which, index + 1);
	}, text);
	if (result === text) {
		throw new ProwessError('INVALID_PARAMS', `the edits leave ${path} as it is: find and replace are the same`, {
			path,
		});
	}
	return result;
}

function applyEdit(path: string, text: string, edit: Edit, which: string, number: number): string {
	const { find, replace } = asInText(text, edit);
	const places = occurrences(text, find);
	if (places.length === 0) {
		const { why, line } = explainNoMatch(text, edit);
		const message = `${which} of ${path} matches nothing: ${why}; no edit was applied`;
		throw new ProwessError('EDIT_NO_MATCH', message, { path, edit: number, ...(line === undefined ? {} : { line }) });
	}
	if (places.length > 1 && !edit.all) {
		const lines = places.map((place) => lineAt(text, place));
		const shown = lines.slice(0, NAMED_LINES).join(', ') + (lines.length > NAMED_LINES ? ', …' : '');
		const message = `${which} of ${path} matches ${places.length} times, at lines ${shown}: add lines around it, or set all; no edit was applied`;
		throw new ProwessError('EDIT_AMBIGUOUS', message, { path, edit: number, lines: lines.slice(0, NAMED_LINES) });
	}
	return text.split(find).join(replace);
}

/** A text is read with its hidden characters as escapes: what is found nowhere as it is written may mean those. */
function asInText(text: string, edit: Edit): { find: string; replace: string } {
	const written = withEndingsOf(text, edit);
	const find = unescapeHidden(edit.find);
	if (find === edit.find || text.includes(written.find)) {
		return written;
	}
	const meant = withEndingsOf(text, { ...edit, find, replace: unescapeHidden(edit.replace) });
	return text.includes(meant.find) ? meant : written;
}

/** A text of mixed endings is taken as it is first. */
function withEndingsOf(text: string, { find, replace }: Edit): { find: string; replace: string } {
	const crlf = text.split('\r\n').length - 1;
	const lf = text.split('\n').length - 1 - crlf;
	const [asLf, asCrlf] = [toLf, toCrlf].map((ending) => ({ find: ending(find), replace: ending(replace) }));
	const usual = crlf > lf ? asCrlf : asLf;
	const other = crlf > lf ? asLf : asCrlf;
	if (usual === undefined || other === undefined || text.includes(usual.find)) {
		return usual ?? { find, replace };
	}
	return text.includes(find) || !text.includes(other.find) ? { find, replace } : other;
}

function toLf(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

function toCrlf(text: string): string {
	return toLf(text).replaceAll('\n', '\r\n');
}

function occurrences(text: string, find: string): number[] {
	const places: number[] = [];
	for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + find.length)) {
		places.push(at);
	}
	return places;
}

function lineAt(text: string, index: number): number {
	return text.slice(0, index).split('\n').length;
}
