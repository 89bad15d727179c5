/** The places of a source where one small change makes another program, each with its change: what a mutant is made of. */

import { childrenOf, isSyntaxNode, parseSource, type SyntaxNode } from '../build/syntax.ts';

export const kinds = ['condition', 'limit', 'return', 'await', 'abort', 'code'] as const;

export interface Site {
	readonly kind: (typeof kinds)[number];
	/** Names of what it stands in, from the outside: `Peer.call`. Empty at the top of a file. */
	readonly within: string;
	/**
	 * Number of sites of the same kind and text before this one within `within`. With these fields, a site is found
	 * again in a changed file.
	 */
	readonly occurrence: number;
	readonly start: number;
	readonly end: number;
	readonly isStatement: boolean;
	readonly old: string;
	readonly new: string;
}

interface Change {
	readonly kind: Site['kind'];
	readonly node: SyntaxNode;
	readonly to: string;
}

/**
 * String literal that serves as a code. `role` names the value that the string is compared with or given to: `kind` for
 * `x.kind === 'a'`, `{ kind: 'a' }` and the cases of `x.kind`.
 */
interface Code {
	readonly node: SyntaxNode;
	readonly role: string;
	readonly text: string;
}

const moved: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const turned: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' };
const code = /^(?:[A-Z][A-Z0-9_]+|[a-z][A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*)$/;
const codeKeys =
	/^(?:kind|code|scope|risk|level|state|status|reason|why|outcome|decision|verdict|effect|mode|action|end|by)$/;
const limitNames = /max|min|limit|most|least|budget/i;
const limitCalls = /^(?:max|min|length|gt|gte|lt|lte)$/;
/** A wait that is longer by one of these is the same to everybody. */
const times = /(?:ms|seconds?|minutes?|hours?|days?)\b/i;
const named = new Set(
	'FunctionDeclaration ClassDeclaration ClassMethod ClassPrivateMethod ClassProperty ClassPrivateProperty ObjectMethod'.split(
		' ',
	),
);

/** All of them, in their order. `file` says what numbers at its top are. Throws on what is no TypeScript. */
export function sitesOf(file: string, source: string): Site[] {
	const text = (node: SyntaxNode) => source.slice(node.start, node.end);
	const found: { readonly change: Change; readonly within: string }[] = [];
	const codes: (Code & { readonly within: string })[] = [];
	const walk = (node: SyntaxNode, parents: readonly SyntaxNode[], within: string): void => {
		for (const change of changesOf(node, parents, text)) found.push({ change, within });
		const number = node.type === 'NumericLiteral' && isLimit(file, node, parents, text);
		if (number) found.push({ change: { kind: 'limit', node, to: String(Number(node['value']) + 1) }, within });
		const role = node.type === 'StringLiteral' ? roleOf(node, parents) : undefined;
		if (role !== undefined && code.test(String(node['value']))) {
			codes.push({ node, role, text: text(node), within });
		}
		const name = nameOf(node);
		const inside = name === undefined ? within : `${within}${within === '' ? '' : '.'}${name}`;
		for (const child of runningIn(node)) walk(child, [node, ...parents], inside);
	};
	walk(parseSource(source, file.endsWith('x')), [], '');
	for (const one of codes) {
		const to = otherCode(one, codes);
		if (to !== undefined) found.push({ change: { kind: 'code', node: one.node, to }, within: one.within });
	}
	const before = new Map<string, number>();
	return found
		.toSorted((one, other) => one.change.node.start - other.change.node.start)
		.map(({ change: { kind, node, to }, within }) => {
			const same = JSON.stringify([kind, within, text(node)]);
			const occurrence = before.get(same) ?? 0;
			before.set(same, occurrence + 1);
			const { start, end } = node;
			const isStatement = node.type === 'ExpressionStatement';
			return { kind, within, occurrence, start, end, isStatement, old: text(node), new: to };
		});
}

type Text = (node: SyntaxNode) => string;

function* changesOf(node: SyntaxNode, [parent]: readonly SyntaxNode[], text: Text): Generator<Change> {
	const isTest = parent?.['test'] === node && parent.type !== 'ForStatement' && parent.type !== 'SwitchCase';
	if (isTest) {
		const argument = node.type === 'UnaryExpression' && node['operator'] === '!' && node['argument'];
		yield { kind: 'condition', node, to: isSyntaxNode(argument) ? `(${text(argument)})` : `!(${text(node)})` };
	}
	if (node.type === 'BinaryExpression') {
		const operator = String(node['operator']);
		if (!isTest && turned[operator] !== undefined) {
			yield { kind: 'condition', node, to: withOperator(node, turned[operator], text) };
		}
		if (moved[operator] !== undefined) yield { kind: 'limit', node, to: withOperator(node, moved[operator], text) };
	}
	const result = node.type === 'ReturnStatement' ? node['argument'] : node['body'];
	if ((node.type === 'ReturnStatement' || node.type === 'ArrowFunctionExpression') && isSyntaxNode(result)) {
		const to = emptied(result);
		if (to !== undefined) yield { kind: 'return', node: result, to };
	}
	if (node.type === 'AwaitExpression') yield { kind: 'await', node, to: `(${text(node['argument'] as SyntaxNode)})` };
	if (node.type === 'ExpressionStatement' && /\bthrowIfAborted\(\);$|\.abort\([^()]*\);$/.test(text(node))) {
		yield { kind: 'abort', node, to: '' };
	}
}

/** Brackets may stand around both sides, so only what lies between them changes. */
function withOperator(node: SyntaxNode, operator: string, text: Text): string {
	const [left, right] = [node['left'] as SyntaxNode, node['right'] as SyntaxNode];
	const [from, to] = [left.end - node.start, right.start - node.start];
	const whole = text(node);
	return `${whole.slice(0, from)}${whole.slice(from, to).replace(String(node['operator']), operator)}${whole.slice(to)}`;
}

/** Undefined: it is empty already, or gives nothing. */
function emptied(result: SyntaxNode): string | undefined {
	switch (result.type) {
		case 'BlockStatement':
		case 'NullLiteral':
			return undefined;
		case 'Identifier':
			return result['name'] === 'undefined' ? undefined : 'undefined';
		case 'UnaryExpression':
			return result['operator'] === 'void' ? undefined : 'undefined';
		case 'BooleanLiteral':
			return String(result['value'] !== true);
		case 'NumericLiteral':
			return result['value'] === 0 ? undefined : '0';
		case 'StringLiteral':
			return result['value'] === '' ? undefined : "''";
		case 'TemplateLiteral':
			return "''";
		case 'ArrayExpression':
			return (result['elements'] as unknown[]).length === 0 ? undefined : '[]';
		case 'JSXElement':
		case 'JSXFragment':
			return 'null';
		default:
			return 'undefined';
	}
}

/** True when the node is a whole number that serves as a limit and is not a time. */
function isLimit(file: string, node: SyntaxNode, parents: readonly SyntaxNode[], text: Text): boolean {
	const [parent] = parents;
	if (parent === undefined || !Number.isInteger(node['value'])) return false;
	if (parent.type === 'BinaryExpression' && /[<>=]/.test(String(parent['operator']))) return !times.test(text(parent));
	if (parent.type === 'CallExpression') {
		return limitCalls.test(nameOfProperty(parent['callee'])) && (parent['arguments'] as unknown[]).length === 1;
	}
	const declaration = parents.find(({ type }) => type !== 'BinaryExpression');
	const declared = declaration?.type === 'VariableDeclarator' ? declaration['id'] : declaration?.['key'];
	if (declaration === undefined || !isSyntaxNode(declared) || times.test(text(declaration).replaceAll('_', ' '))) {
		return false;
	}
	return file.endsWith('limits.ts') || limitNames.test(text(declared));
}

function roleOf(node: SyntaxNode, [parent, around]: readonly SyntaxNode[]): string | undefined {
	if (parent?.type === 'BinaryExpression' && turned[String(parent['operator'])] !== undefined) {
		const other = parent['left'] === node ? parent['right'] : parent['left'];
		const isTypeOf = isSyntaxNode(other) && other.type === 'UnaryExpression';
		return isTypeOf ? undefined : nameOfProperty(other);
	}
	if (parent?.type === 'SwitchCase') return nameOfProperty(around?.['discriminant']);
	if (parent?.type === 'NewExpression') return (parent['arguments'] as unknown[])[0] === node ? 'code' : undefined;
	const key = parent?.type === 'ObjectProperty' && parent['value'] === node ? parent['key'] : undefined;
	const name = isSyntaxNode(key) ? String(key['name']) : '';
	return codeKeys.test(name) ? name : undefined;
}

/** The next one of the same role in the file, else the next of any. */
function otherCode(one: Code, all: readonly Code[]): string | undefined {
	const at = all.indexOf(one as (typeof all)[number]);
	const others = [...all.slice(at), ...all.slice(0, at)].filter(({ text }) => text !== one.text);
	return (others.find(({ role }) => role === one.role) ?? others[0])?.text;
}

function nameOfProperty(value: unknown): string {
	if (!isSyntaxNode(value)) return '';
	const { name } = isSyntaxNode(value['property']) ? value['property'] : value;
	return typeof name === 'string' ? name : '';
}

function nameOf(node: SyntaxNode): string | undefined {
	const isFunction = /Function/.test(isSyntaxNode(node['init']) ? node['init'].type : '');
	const name = node['id'] ?? node['key'];
	if (!isSyntaxNode(name) || !(named.has(node.type) || (node.type === 'VariableDeclarator' && isFunction))) {
		return undefined;
	}
	// A private one has its name inside.
	const inner = isSyntaxNode(name['id']) ? name['id'] : name;
	return String(inner['name']);
}

/** Returns the children of a node that run: no types, and no names of modules. */
function runningIn(node: SyntaxNode): readonly SyntaxNode[] {
	if (
		/^Import|^ExportAll/.test(node.type) ||
		(node.type === 'ExportNamedDeclaration' && isSyntaxNode(node['source']))
	) {
		return [];
	}
	if (!node.type.startsWith('TS')) return childrenOf(node);
	return isSyntaxNode(node['expression']) && node.type !== 'TSExpressionWithTypeArguments' ? [node['expression']] : [];
}
