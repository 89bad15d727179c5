/** The syntax tree of one of our sources, as far as it is walked through: nodes with their places in the text. */

import { parsers } from 'prettier/plugins/babel';

export interface SyntaxNode {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

/** Throws on what is no TypeScript. */
export function parseSource(source: string): SyntaxNode {
	return (parsers['babel-ts'] as unknown as { parse(text: string): SyntaxNode }).parse(source);
}

/** In the order of the text. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
	return Object.values(node)
		.flat()
		.filter(isSyntaxNode)
		.toSorted((one, other) => one.start - other.start);
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
	return (
		typeof value === 'object' &&
		value !== null &&
		typeof (value as SyntaxNode).type === 'string' &&
		typeof (value as SyntaxNode).start === 'number'
	);
}
