/** Why an edit found nothing, as far as the text can tell. */
import { CLOSEST_LINES } from '../../limits.ts';

interface NoMatch {
	readonly why: string;
	readonly line?: number;
}

export function explainNoMatch(text: string, edit: { readonly find: string; readonly replace: string }): NoMatch {
	const lines = text.split(/\r?\n/);
	const wanted = edit.find.split(/\r?\n/);
	const loose = findIgnoringSpace(lines, wanted);
	if (loose !== undefined) {
		const [found, differing] = loose;
		return { why: `line ${found} differs only in whitespace: the file has ${JSON.stringify(differing)}`, line: found };
	}
	const replaced =
		edit.replace === '' ? -1 : text.replaceAll('\r\n', '\n').indexOf(edit.replace.replaceAll('\r\n', '\n'));
	if (replaced !== -1) {
		const line = text.replaceAll('\r\n', '\n').slice(0, replaced).split('\n').length;
		return { why: `the replacement is already there at line ${line}`, line };
	}
	const anchor = wanted.find((line) => line.trim() !== '') ?? '';
	const closest = closestLine(lines, anchor.trim());
	return closest === undefined
		? { why: 'no line is like it; read the file again' }
		: {
				why: `the closest line is ${closest}: ${JSON.stringify((lines[closest - 1] ?? '').slice(0, 300))}`,
				line: closest,
			};
}

/** The first run of lines that equals `wanted` but for whitespace: its line and the text of the line that differs. */
function findIgnoringSpace(lines: readonly string[], wanted: readonly string[]): [number, string] | undefined {
	const removeWhitespace = (line: string) => line.replaceAll(/\s+/g, '');
	const target = wanted.map(removeWhitespace);
	while (target.length > 1 && target.at(-1) === '') {
		target.pop();
	}
	if (target.every((line) => line === '')) {
		return undefined;
	}
	const squeezed = lines.map(removeWhitespace);
	const isWholeMatch = (at: number) =>
		target.every((line, index) => {
			const there = squeezed[at + index];
			// The find text may start and end within a line.
			return (
				there !== undefined && (index === 0 || index === target.length - 1 ? there.includes(line) : there === line)
			);
		});
	const at = squeezed.findIndex((_, index) => isWholeMatch(index));
	if (at === -1) {
		return undefined;
	}
	const differing = wanted.findIndex((line, index) => !(lines[at + index] ?? '').includes(line));
	const line = at + Math.max(0, differing);
	return [line + 1, (lines[line] ?? '').slice(0, 300)];
}

/**
 * Finds the number of the most similar line, by the share of common letter pairs; undefined when that share is above
 * 0.4 for no line.
 */
function closestLine(lines: readonly string[], wanted: string): number | undefined {
	const target = collectLetterPairs(wanted);
	let best = { line: 0, score: 0.4 };
	lines.slice(0, CLOSEST_LINES).forEach((text, index) => {
		const trimmed = text.trim();
		if (trimmed.length > 3 * wanted.length + 20 || trimmed === '') {
			return;
		}
		const there = collectLetterPairs(trimmed);
		let common = 0;
		for (const pair of there) {
			common += target.has(pair) ? 1 : 0;
		}
		const score = (2 * common) / Math.max(1, there.size + target.size);
		if (score > best.score) {
			best = { line: index + 1, score };
		}
	});
	return best.line === 0 ? undefined : best.line;
}

function collectLetterPairs(text: string): Set<string> {
	return new Set(Array.from({ length: Math.max(1, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}
