/**
 * Where a text holds a formula: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` as a block of its own. A price is none: a
 * formula in dollar signs neither begins nor ends with a blank, and no letter or digit follows it (as in Pandoc).
 */
import type { Tokens } from 'marked';

/** `text`: the TeX. */
export interface MathToken extends Tokens.Generic {
	readonly type: 'math';
	readonly text: string;
	readonly isDisplay: boolean;
}

/**
 * Patterns of formulas in a line and of display formulas, at most 400 and 2,000 characters long: a mark that is never
 * closed is searched no further.
 */
const IN_LINE =
	/^(?:\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,400}?)(?<!\s)\$(?![\w$])|\\\(((?:\\(?!\))[^\n]|[^\\\n]){1,400}?)\\\))/;
const DISPLAY = String.raw`(?:\$\$((?:\\[^]|[^\\$]){1,2000}?)\$\$|\\\[((?:\\(?!\])[^]|[^\\]){1,2000}?)\\\])`;
const DISPLAY_IN_LINE = new RegExp(`^${DISPLAY}`);
const MATH_BLOCK = new RegExp(`^ {0,3}${DISPLAY}[ \\t]*(?:\\n|$)`);
/** Pattern of a block whose end has not come yet: its lines must not become a list or a heading. */
const OPEN_BLOCK = /^ {0,3}(?:\$\$|\\\[)[ \t]*\n(?:(?![ \t]*\n)[^\n]*(?:\n|$))*/;
const BLOCK_START = /^ {0,3}(?:\$\$|\\\[)/m;
const BLANK_LINE = /\n[ \t]*\n/;

export function mathInLine(text: string): MathToken | undefined {
	return toMathToken(DISPLAY_IN_LINE.exec(text), true) ?? toMathToken(IN_LINE.exec(text), false);
}

export function mathBlock(text: string): Tokens.Generic | undefined {
	const open = OPEN_BLOCK.exec(text)?.[0];
	return (
		toMathToken(MATH_BLOCK.exec(text), true) ??
		(open === undefined ? undefined : { type: 'html', raw: open, text: open.trimEnd() })
	);
}

export function mathBlockStart(text: string): number | undefined {
	const start = text.search(BLOCK_START);
	return start < 0 ? undefined : start;
}

function toMathToken(match: RegExpExecArray | null, isDisplay: boolean): MathToken | undefined {
	const text = (match?.[1] ?? match?.[2] ?? '').trim();
	return match === null || text === '' || BLANK_LINE.test(match[0].trimEnd())
		? undefined
		: { type: 'math', raw: match[0], text, isDisplay };
}
