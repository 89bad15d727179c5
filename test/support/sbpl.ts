/** A small reader of Seatbelt's profiles: it judges operations on paths as the system does, where the last rule that matches counts. */

type Form = string | RegExp | readonly Form[];

interface Rule {
	readonly verdict: string;
	readonly operations: readonly string[];
	readonly filters: readonly (readonly Form[])[];
}

export class Profile {
	readonly rules: readonly Rule[];

	/** Throws for what is no profile. */
	constructor(text: string) {
		const [version, ...forms] = read(text) as (readonly Form[])[];
		if (version?.[0] !== 'version') throw new Error('a profile begins with its version');
		this.rules = forms.map(([verdict, ...rest]) => ({
			verdict: String(verdict),
			operations: rest.filter((each): each is string => typeof each === 'string'),
			filters: rest.filter((each): each is readonly Form[] => Array.isArray(each)),
		}));
	}

	allows(operation: string, path: string): boolean {
		const rule = this.rules.findLast(
			({ operations, filters }) =>
				operations.some((each) => covers(each, operation)) &&
				(filters.length === 0 || filters.some((filter) => matches(filter, path))),
		);
		return rule?.verdict === 'allow';
	}

	/** Paths that filters of this kind name in rules of this verdict for this operation. */
	named(kind: 'subpath' | 'literal', verdict: string, operation: string): string[] {
		return this.rules
			.filter((rule) => rule.verdict === verdict && rule.operations.some((each) => covers(each, operation)))
			.flatMap(({ filters }) => filters.filter(([name]) => name === kind).map(([, path]) => String(path)));
	}
}

function covers(ruled: string, operation: string): boolean {
	return (
		ruled === 'default' || ruled === operation || (ruled.endsWith('*') && operation.startsWith(ruled.slice(0, -1)))
	);
}

function matches([kind, ...values]: readonly Form[], path: string): boolean {
	const [value] = values;
	switch (kind) {
		case 'literal':
			return path === value;
		case 'subpath':
			return path === value || path.startsWith(`${String(value)}/`);
		case 'regex':
			return value instanceof RegExp && value.test(path);
		case 'require-all':
			return (values as (readonly Form[])[]).every((each) => matches(each, path));
		default:
			// Not about paths.
			return false;
	}
}

const TOKEN = /\s+|;[^\n]*|#"([^"]*)"|"((?:[^"\\]|\\.)*)"|([()])|([^\s()"#;]+)/suy;

function read(text: string): Form[] {
	const stack: Form[][] = [[]];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < text.length) {
		const at = TOKEN.lastIndex;
		const match = TOKEN.exec(text);
		if (match === null) throw new Error(`not a profile at ${at}: ${text.slice(at, at + 20)}`);
		const [, pattern, quoted, bracket, word] = match;
		if (bracket === '(') {
			stack.push([]);
		} else if (bracket === ')') {
			const form = stack.pop();
			if (form === undefined || stack.length === 0) throw new Error('a bracket too many');
			stack.at(-1)?.push(form);
		} else if (pattern !== undefined) {
			stack.at(-1)?.push(new RegExp(pattern, 'su'));
		} else if (quoted !== undefined) {
			stack.at(-1)?.push(quoted.replaceAll(/\\(.)/gsu, '$1'));
		} else if (word !== undefined) {
			stack.at(-1)?.push(word);
		}
	}
	if (stack.length !== 1) throw new Error('a bracket is missing');
	return stack[0] ?? [];
}
