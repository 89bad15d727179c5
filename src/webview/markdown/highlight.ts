/** Colours for finished code, piece by piece in idle time. The languages are few: each one is bytes that every opening of the view reads. */
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

interface HighlightText {
	readonly type: 'text';
	readonly value: string;
}
interface HighlightSpan {
	readonly type: 'element';
	readonly className: string;
	readonly children: readonly HighlightNode[];
}
export type HighlightNode = HighlightText | HighlightSpan;

/** Longer code stays plain. */
const MAX_HIGHLIGHTED_LENGTH = 40_000;
/**
 * Longest piece for one call, in characters. A call blocks the page, and the time for some languages grows with the
 * square of the length.
 */
const MAX_PIECE_LENGTH = 2_000;

const lowlight = createLowlight({
	bash,
	c,
	cpp,
	csharp,
	css,
	diff,
	go,
	ini,
	java,
	javascript,
	json,
	markdown,
	python,
	ruby,
	rust,
	sql,
	typescript,
	xml,
	yaml,
});

/** The code in pieces of whole lines, each to be coloured by itself. None when the language is not known or the code too long. */
export function splitCodePieces(code: string, language: string): readonly string[] {
	if (code.length > MAX_HIGHLIGHTED_LENGTH || !lowlight.registered(language.toLowerCase())) {
		return [];
	}
	const pieces: string[] = [];
	for (let start = 0; start < code.length;) {
		const end = start + MAX_PIECE_LENGTH >= code.length ? code.length : pieceEnd(code, start);
		pieces.push(code.slice(start, end));
		start = end;
	}
	return pieces;
}

/** After a blank line if one is near, because hardly anything goes on across it; else after any line. */
function pieceEnd(code: string, start: number): number {
	const last = start + MAX_PIECE_LENGTH;
	const blank = code.lastIndexOf('\n\n', last - 2);
	if (blank > start + MAX_PIECE_LENGTH / 2) {
		return blank + 2;
	}
	const line = code.lastIndexOf('\n', last - 1);
	const next = line < start ? code.indexOf('\n', last) : line;
	return next < 0 ? code.length : next + 1;
}

/** Undefined for a piece that is too long, because its only line is, or too deep. */
export function highlightPiece(piece: string, language: string): readonly HighlightNode[] | undefined {
	if (piece.length > MAX_PIECE_LENGTH) {
		return undefined;
	}
	try {
		return lowlight.highlight(language.toLowerCase(), piece).children.flatMap(ownNode);
	} catch {
		// Deeper than the stack is.
		return undefined;
	}
}

interface HastNode {
	readonly type: string;
	readonly value?: string;
	readonly properties?: { readonly className?: unknown };
	readonly children?: readonly HastNode[];
}

/** Only texts and class names come through, whatever the library makes. */
function ownNode(node: HastNode): HighlightNode[] {
	if (node.type === 'text') {
		return [{ type: 'text', value: node.value ?? '' }];
	}
	const names = node.properties?.className;
	const className = Array.isArray(names) ? names.filter((n) => typeof n === 'string').join(' ') : '';
	return [{ type: 'element', className, children: (node.children ?? []).flatMap(ownNode) }];
}
