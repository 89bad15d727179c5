/**
 * Reads TeX as a tree of MathML elements. Only the elements and attributes listed here pass from the library's output,
 * so a formula cannot link, load, be styled or be found by a selector.
 */
import { __renderToDomTree } from 'katex';

/*
 * Letters in a style of mathematics, as characters of their own: browsers draw no other `mathvariant` than `normal`
 * (MathML Core, section 2.1.6).
 */

/** First capital, first small letter and first digit of each alphabet (Unicode, Mathematical Alphanumeric Symbols). */
const ALPHABETS: Readonly<Record<string, readonly [capital: number, small: number, digit?: number]>> = {
	bold: [0x1d400, 0x1d41a, 0x1d7ce],
	italic: [0x1d434, 0x1d44e],
	'bold-italic': [0x1d468, 0x1d482],
	script: [0x1d49c, 0x1d4b6],
	'bold-script': [0x1d4d0, 0x1d4ea],
	fraktur: [0x1d504, 0x1d51e],
	'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
	'bold-fraktur': [0x1d56c, 0x1d586],
	'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
	'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
	'sans-serif-italic': [0x1d608, 0x1d622],
	'sans-serif-bold-italic': [0x1d63c, 0x1d656],
	monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};

/** Letters that were in Unicode before their alphabet was, which has a gap in their place. */
const EARLIER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	italic: { h: 'ℎ' },
	script: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
	fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
	'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
};

export type MathNode = string | MathElement;

export interface MathElement {
	readonly tag: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: readonly MathNode[];
}

/** Longest formula in characters. The time to read one grows with its length, because it can define nothing. */
const MAX_FORMULA_LENGTH = 2_000;
/** Replacements of the library's own short forms. */
const MAX_EXPANSIONS = 1_000;
/** Elements inside each other. Each takes levels of the stack to draw. */
const MAX_FORMULA_DEPTH = 60;
const MAX_FORMULA_ELEMENTS = 3_000;
/** Largest width, height or shift, in the height of the text. */
const MAX_SIZE = 10;

/** A few of these make thousands of characters out of a short formula. */
const DEFINES =
	/\\(?:[egx]?def|let|futurelet|global|long|newcommand|renewcommand|providecommand|DeclareMathOperator)(?![a-zA-Z])/;

const splitWordSet = (line: string): ReadonlySet<string> => new Set(line.split(' '));
const TAGS = splitWordSet(
	'math mrow mi mo mn ms mtext mspace mstyle mpadded mphantom menclose mfrac msqrt mroot msub msup ' +
		'msubsup munder mover munderover mtable mtr mtd mmultiscripts mprescripts none',
);
/** No colours: they could make a formula unreadable in a theme. */
const WORD_ATTRIBUTES = splitWordSet(
	'display displaystyle scriptlevel form fence separator stretchy symmetric largeop movablelimits ' +
		'accent accentunder notation',
);
const LENGTHS = splitWordSet('width height depth lspace rspace voffset minsize maxsize linethickness');
const LENGTH = /^([+-]?\d*\.?\d+)(em|ex)$/;

/** Undefined when it is no TeX, defines something, or is too long, too deep or too large. */
export function mathTree(tex: string, isDisplay: boolean): MathElement | undefined {
	if (tex.length > MAX_FORMULA_LENGTH || DEFINES.test(tex)) {
		return undefined;
	}
	try {
		const tree = __renderToDomTree(tex, {
			output: 'mathml',
			displayMode: isDisplay,
			throwOnError: true,
			trust: false,
			strict: 'ignore',
			maxSize: MAX_SIZE,
			maxExpand: MAX_EXPANSIONS,
		});
		return new MathReader().formula(tree as LibraryNode);
	} catch {
		// Text that cannot be read, or deeper than the stack is.
		return undefined;
	}
}

interface LibraryNode {
	/** Tag name, for an element of MathML. */
	readonly type?: string;
	/** Content, for a text. */
	readonly text?: string;
	/** Width, for a space; unit: height of the text (em). */
	readonly width?: number;
	readonly attributes?: Readonly<Record<string, string | number | boolean>>;
	readonly children?: readonly LibraryNode[];
}

class MathReader {
	#elements = 0;

	/** The formula in what the library wraps around it. */
	formula(node: LibraryNode): MathElement | undefined {
		if (node.type !== 'math') {
			const [inner] = node.children ?? [];
			return inner === undefined ? undefined : this.formula(inner);
		}
		const [formula] = this.#read(node, 0);
		return typeof formula === 'object' ? formula : undefined;
	}

	#read(node: LibraryNode, depth: number, alphabet = ''): MathNode[] {
		const { type, children = [], text, width } = node;
		if (width !== undefined) {
			return [createMathElement('mspace', { width: `${Math.max(0, Math.min(MAX_SIZE, width)).toFixed(3)}em` }, [])];
		}
		if (text !== undefined) {
			return [inAlphabet(text, alphabet)];
		}
		if (type === 'semantics') {
			// The second child is the TeX source.
			return children.slice(0, 1).flatMap((child) => this.#read(child, depth));
		}
		this.#elements += 1;
		if (depth > MAX_FORMULA_DEPTH || this.#elements > MAX_FORMULA_ELEMENTS) {
			throw new RangeError('the formula is too large');
		}
		const inner = children.flatMap((child) => this.#read(child, depth + 1, readAlphabet(node)));
		if (type === undefined || !TAGS.has(type)) {
			return inner;
		}
		return [createMathElement(type, pickAttributes(node), type === 'mtable' ? alignRows(inner, node) : inner)];
	}
}

/** Rows whose cells carry the alignment of their column, which browsers do not take from the table. */
function alignRows(rows: readonly MathNode[], { attributes }: LibraryNode): MathNode[] {
	const columns = String(attributes?.['columnalign'] ?? '').split(' ');
	const isSide = (word: string | undefined) => word === 'left' || word === 'right';
	return rows.map((row) =>
		typeof row === 'string'
			? row
			: createMathElement(
					row.tag,
					row.attributes,
					row.children.map((cell, index) =>
						typeof cell === 'object' && isSide(columns[index])
							? createMathElement(cell.tag, { ...cell.attributes, class: `align-${columns[index]}` }, cell.children)
							: cell,
					),
				),
	);
}

function readAlphabet({ attributes }: LibraryNode): string {
	return String(attributes?.['mathvariant'] ?? '');
}

function createMathElement(
	tag: string,
	attributes: MathElement['attributes'],
	children: readonly MathNode[],
): MathElement {
	return { tag, attributes, children };
}

function pickAttributes({ attributes = {} }: LibraryNode): Record<string, string> {
	return Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) => {
			const text = String(value);
			// Upright instead of italic: the only variant that browsers draw.
			const isUpright = name === 'mathvariant' && text === 'normal';
			const isWord = isUpright || (WORD_ATTRIBUTES.has(name) && /^[\w. -]{1,200}$/.test(text));
			const kept = isWord ? text : LENGTHS.has(name) ? clampLength(text) : undefined;
			return kept === undefined ? [] : [[name, kept] as const];
		}),
	);
}

/** Can move nothing far from its place. */
function clampLength(length: string): string | undefined {
	const [, size = '', unit = ''] = LENGTH.exec(length) ?? [];
	return unit === '' ? undefined : `${Math.max(-2, Math.min(MAX_SIZE, Number(size)))}${unit}`;
}

/** Letters and digits of ASCII in the alphabet; what it does not have stays as it is. */
function inAlphabet(text: string, alphabet: string): string {
	const [capital, small, digit] = ALPHABETS[alphabet] ?? [];
	return text.replace(/[A-Za-z0-9]/g, (letter) => {
		const [first, base] = /\d/.test(letter) ? ['0', digit] : letter < 'a' ? ['A', capital] : ['a', small];
		const earlier = EARLIER[alphabet]?.[letter];
		return (
			earlier ?? (base === undefined ? letter : String.fromCodePoint(base + letter.charCodeAt(0) - first.charCodeAt(0)))
		);
	});
}

declare module 'katex' {
	/** The tree that `renderToString` makes its text of; the types of the package leave it out. */
	export function __renderToDomTree(tex: string, options: KatexOptions): unknown;
}
