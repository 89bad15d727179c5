/**
 * Where a text to be replaced is not in a file, but one is that differs in what says nothing: trailing space, the kind of a quotation mark or a
 * space, or an indentation that is another one throughout. Everything here has LF only.
 */
import { readIndentation } from '../../../base/text/one-line.ts';
import type { LooseEdit } from '../../../protocol/ops/definitions/files/files.ts';

export interface FoundText {
	readonly start: number;
	readonly end: number;
	/** Returns a new line with its indentation adapted; undefined for a line whose indentation cannot be. */
	readonly indented: (line: string) => string | undefined;
}

interface LooseMatch {
	readonly differs: LooseEdit['differs'];
	/** Accents of the text, or of what is looked for, may be of another form. */
	readonly hasOtherAccents?: boolean;
	readonly places: readonly FoundText[];
}

const keepAsWritten = (line: string) => line;

/**
 * Finds the text with the smallest difference that leads to a match: form of accents, punctuation, trailing space, indentation;
 * undefined: nothing is like it. Beside any of them, accents may be of another form.
 */
export function findLooseMatch(text: string, find: string): LooseMatch | undefined {
	const wanted = find.endsWith('\n') ? find.slice(0, -1) : find;
	if (wanted.trim() === '') {
		return undefined;
	}
	const composed = composeAccents(text);
	const composedFind = find.normalize('NFC');
	const hasOtherAccents = composed !== undefined || composedFind !== find;
	const { text: there, placeOf } = composed ?? { text, placeOf: (at: number) => at };
	const accents = hasOtherAccents ? findPlaces(there, composedFind) : [];
	const match: LooseMatch | undefined =
		accents.length > 0 ? { differs: 'form of accents', places: accents } : findComposedMatch(there, composedFind);
	return match === undefined
		? undefined
		: {
				...match,
				hasOtherAccents,
				places: match.places.map(({ start, end, indented }) => ({
					start: placeOf(start),
					end: placeOf(end),
					indented,
				})),
			};
}

function findPlaces(text: string, find: string): FoundText[] {
	return findAllStarts(text, find).map((start) => ({ start, end: start + find.length, indented: keepAsWritten }));
}

function findComposedMatch(text: string, find: string): LooseMatch | undefined {
	const wanted = find.endsWith('\n') ? find.slice(0, -1) : find;
	const plain = withPlainPunctuation(text);
	const plainWanted = withPlainPunctuation(wanted);
	const punctuation = findPlaces(plain, withPlainPunctuation(find));
	if (punctuation.length > 0) {
		return { differs: 'punctuation', places: punctuation };
	}
	const lines = splitPlacedLines(plain);
	const asked = plainWanted.split('\n').map((line) => line.trimEnd());
	const endsInNewline = find.endsWith('\n');
	const findMatches = (
		differs: LooseEdit['differs'],
		indentation: (at: number) => FoundText['indented'] | undefined,
	) => {
		const matches = lines.flatMap((line, at) => {
			const last = lines[at + asked.length - 1];
			const next = endsInNewline ? lines[at + asked.length] : undefined;
			const indented = last === undefined || (endsInNewline && next === undefined) ? undefined : indentation(at);
			return last === undefined || indented === undefined
				? []
				: [{ start: line.start, end: next?.start ?? last.start + last.text.length, indented }];
		});
		return matches.length === 0 ? undefined : { differs, places: matches };
	};
	const [firstAsked = ''] = asked;
	const isLikeFirst = (at: number) => lines[at]?.text.trim() === firstAsked.trim();
	const isSame = (at: number) => asked.every((line, index) => lines[at + index]?.text.trimEnd() === line);
	return (
		findMatches('trailing space', (at) => (isSame(at) ? keepAsWritten : undefined)) ??
		findMatches('indentation', (at) =>
			isLikeFirst(at) ? otherIndentation(lines.slice(at, at + asked.length), asked) : undefined,
		)
	);
}

/**
 * Finds a single rule for indentation that turns every line asked for into the line found, its end aside; undefined:
 * there is none.
 */
function otherIndentation(
	there: readonly { text: string }[],
	asked: readonly string[],
): FoundText['indented'] | undefined {
	const pairs: { readonly from: string; readonly to: string }[] = [];
	for (const [index, line] of asked.entries()) {
		const found = (there[index]?.text ?? '').trimEnd();
		if (found.trimStart() !== line.trimStart()) {
			return undefined;
		}
		if (line !== '') {
			pairs.push({ from: readIndentation(line), to: readIndentation(found) });
		}
	}
	const [first] = pairs;
	const rules = first === undefined ? [] : rulesFrom(first);
	const rule = rules.find((each) => pairs.every(({ from, to }) => each(from) === to));
	return rule === undefined ? undefined : (line) => withIndent(line, rule);
}

type IndentRule = (indent: string) => string | undefined;

function rulesFrom({ from, to }: { readonly from: string; readonly to: string }): IndentRule[] {
	const deeper = to.endsWith(from) ? to.slice(0, to.length - from.length) : undefined;
	const flatter = from.endsWith(to) ? from.slice(0, from.length - to.length) : undefined;
	return [
		...(deeper === undefined ? [] : [(indent: string) => deeper + indent]),
		...(flatter === undefined
			? []
			: [(indent: string) => (indent.startsWith(flatter) ? indent.slice(flatter.length) : undefined)]),
		...[2, 3, 4, 8].flatMap((width) => [
			(indent: string) =>
				/^ *$/.test(indent) && indent.length % width === 0 ? '\t'.repeat(indent.length / width) : undefined,
			(indent: string) => (/^\t*$/.test(indent) ? ' '.repeat(indent.length * width) : undefined),
		]),
	];
}

function withIndent(line: string, rule: IndentRule): string | undefined {
	const indent = readIndentation(line);
	const changed = rule(indent);
	return line.trim() === '' ? line : changed === undefined ? undefined : changed + line.slice(indent.length);
}

function splitPlacedLines(text: string): { readonly start: number; readonly text: string }[] {
	let start = 0;
	return text.split('\n').map((line) => {
		const at = start;
		start += line.length + 1;
		return { start: at, text: line };
	});
}

export function findAllStarts(text: string, find: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + find.length)) {
		found.push(at);
	}
	return found;
}

/**
 * The text with each accented letter as one character where there is such a one, and where each place in it is in the text;
 * undefined where it is so already.
 */
function composeAccents(text: string): { readonly text: string; readonly placeOf: (at: number) => number } | undefined {
	if (text.normalize('NFC') === text) {
		return undefined;
	}
	const starts: number[] = [];
	let composed = '';
	for (const { 0: written, index } of text.matchAll(
		/(?:[\u1100-\u115f][\u1160-\u11a7]|[\uac00-\ud7a3])[\u11a8-\u11ff]?|[^\p{M}]\p{M}+|[^]/gu,
	)) {
		const one = written.normalize('NFC');
		composed += one;
		starts.push(...Array.from({ length: one.length }, (_, unit) => index + Math.min(unit, written.length - 1)));
	}
	return { text: composed, placeOf: (at) => starts[at] ?? text.length };
}

/** Each character stays one, so that places stay where they are. */
function withPlainPunctuation(text: string): string {
	return text
		.replaceAll(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
		.replaceAll(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
		.replaceAll(/[\u2010-\u2015\u2212]/g, '-')
		.replaceAll(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}
