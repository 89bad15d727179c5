/** The syntax tree of one of our sources, as far as it is walked through: nodes with their places in the text. */

import { parse, type ParserPlugin } from '@babel/parser';

export interface SyntaxNode {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

/** `isTsx`: it may hold elements. Throws on what is no TypeScript. */
export function parseSource(source: string, isTsx: boolean): SyntaxNode {
	const plugins: ParserPlugin[] = isTsx ? ['typescript', 'jsx'] : ['typescript'];
	return parse(source, { sourceType: 'module', plugins }).program as unknown as SyntaxNode;
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
