/**
 * Makes modules create their schemas only when they are needed: puts `z.later(() => …)` around each schema that the
 * module would create while it loads. Written by hand, that would stand around every line of the protocol.
 */

import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { childrenOf, parseSource, type SyntaxNode } from './syntax.ts';

const words = (text: string) => new Set(text.split(' '));
/** Functions of the library that begin a schema: `z.string()`. Everything else of the library is left alone. */
const makers = words(
	'any array base64 boolean custom discriminatedUnion enum int intersection iso json lazy literal looseObject never null ' +
		'number object partialRecord preprocess record strictObject string tuple undefined union unknown url uuid uuidv7',
);
/** Methods that make a schema of a named one: `Name.optional()`. */
const changesOfNamed = words(
	'array brand catch default describe exclude extend extract nullable nullish omit optional partial pick readonly refine ' +
		'required safeExtend superRefine transform',
);
/** Methods that may follow in a chain. */
const changes = new Set([
	...changesOfNamed,
	...words(
		'and catchall check date datetime email endsWith finite gt gte includes int keyof length loose lowercase lt lte max ' +
			'meta min multipleOf negative nonempty nonnegative or overwrite passthrough pipe positive prefault regex ' +
			'startsWith strict time toLowerCase toUpperCase trim uppercase with',
	),
]);
/** Types of syntax nodes whose content runs later by itself. */
const functions = words(
	'ArrowFunctionExpression FunctionExpression FunctionDeclaration ObjectMethod ClassMethod ClassPrivateMethod ClassProperty',
);

export const lateSchemas: Plugin = {
	name: 'late-schemas',
	setup(build) {
		build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
			const source = readFileSync(path, 'utf8');
			return /^import \* as z from '.*\/zod\.ts';$/m.test(source)
				? { contents: withLateSchemas(source), loader: 'ts', watchFiles: [path] }
				: undefined;
		});
	},
};

/** On the same lines, so that a source map still fits. */
export function withLateSchemas(source: string): string {
	let changed = '';
	let copied = 0;
	for (const { start, end } of schemasIn(parseSource(source, false))) {
		changed += `${source.slice(copied, start)}z.later(() => ${source.slice(start, end)})`;
		copied = end;
	}
	return changed + source.slice(copied);
}

/** Outermost ones, in their order. */
function* schemasIn(node: SyntaxNode): Generator<SyntaxNode> {
	if (functions.has(node.type)) {
		return;
	}
	if (node.type === 'CallExpression' && isSchema(node)) {
		yield node;
		return;
	}
	for (const child of childrenOf(node)) {
		yield* schemasIn(child);
	}
}

/** A chain of calls that begins with a maker, or on the name of a schema, and in which everything makes a schema. */
function isSchema(call: SyntaxNode): boolean {
	const names: string[] = [];
	let at: SyntaxNode | undefined = call;
	while (at !== undefined && at.type !== 'Identifier') {
		if (at.type === 'MemberExpression') {
			const property = at['property'] as SyntaxNode;
			names.unshift(String(property['name']));
			at = at['object'] as SyntaxNode;
		} else {
			at = at.type === 'CallExpression' ? (at['callee'] as SyntaxNode) : undefined;
		}
	}
	if (at === undefined || names.length === 0) {
		return false;
	}
	const [first = '', ...others] = names;
	const isBegun =
		at['name'] === 'z' ? makers.has(first) : /^[A-Z]/.test(String(at['name'])) && changesOfNamed.has(first);
	return isBegun && others.every((name) => changes.has(name));
}
