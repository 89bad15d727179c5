/**
 * Input of a call as it was meant, where it can mean one thing only: a number as text, one item for a list, a list as JSON
 * text, an unset parameter as null, a parameter by the name that other agents have for it, a command as a line. The op's
 * own schema says what fits. What was read in another way is told with the result, so that the next call is right.
 */
import { type OpName, ops } from '../../protocol/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { shellLineHint } from '../../protocol/ops/shell-line.ts';
import * as z from '../../protocol/zod.ts';
import { commandsOfLine } from './command-line.ts';
import { lineOfWords } from './shell-words.ts';

interface Mended {
	readonly value: unknown;
	/** What was read in another way, each as a phrase. */
	readonly notes: readonly string[];
	/** Why it cannot be run here, though it may fit. */
	readonly refused?: string;
}

interface Schema {
	readonly type?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
}

export function mendInput(op: OpName, input: Readonly<Record<string, unknown>>, platform: NodeJS.Platform): Mended {
	const notes: string[] = [];
	const schema = schemaOf(op);
	const named = withOwnNames(op, input, schema, notes);
	const shape = SHAPES[op];
	const shaped = shape === undefined ? named : shape(named, notes, platform);
	if (typeof shaped === 'string') {
		return { value: input, notes: [], refused: shaped };
	}
	return { value: mendValue(shaped, schema, '', notes), notes };
}

/** A line in a list of words fits the op, and does not mean what it says: as its only word, or in words that a shell acts on. */
export function isLineInList(op: OpName, input: Input): boolean {
	return op === 'shell.run' && Array.isArray(input['argv']) && lineOf(input) !== undefined;
}

const schemas = new Map<OpName, Schema>();

function schemaOf(op: OpName): Schema {
	let schema = schemas.get(op);
	if (schema === undefined) {
		schema = z.toJSONSchema((ops[op] as OpDef).params, {
			target: 'draft-7',
			io: 'input',
			unrepresentable: 'any',
		}) as Schema;
		schemas.set(op, schema);
	}
	return schema;
}

type Input = Readonly<Record<string, unknown>>;

/** Names that other agents' tools have for the same thing, in lower case without `_` and `-`. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
	path: ['filepath', 'file', 'filename', 'absolutepath', 'relativepath', 'targetfile', 'directory', 'dir', 'dirpath'],
	content: ['contents', 'filetext', 'text', 'newcontent', 'codecontent'],
	find: ['oldstring', 'oldstr', 'oldtext', 'old', 'search'],
	replace: ['newstring', 'newstr', 'newtext', 'new', 'replacement'],
	all: ['replaceall'],
	argv: ['command', 'cmd', 'commandline', 'args'],
	cwd: ['workdir', 'workingdirectory', 'workingdir', 'directory', 'dir'],
	query: ['pattern', 'search', 'searchterm', 'regexp', 'q'],
	include: ['glob', 'globs', 'filepattern', 'includepattern', 'includes'],
	literal: ['fixedstrings', 'fixedstring', 'isliteral'],
	context: ['contextlines'],
	namesOnly: ['fileswithmatches', 'filesonly', 'onlynames'],
	regex: ['isregex', 'isregexp', 'useregex'],
	offset: ['startline', 'linestart', 'start'],
	limit: ['maxlines', 'lines', 'count'],
	background: ['runinbackground', 'isbackground'],
	timeoutMs: ['timeoutms'],
	items: ['todos', 'tasks', 'steps'],
	question: ['prompt', 'message'],
	url: ['uri', 'link'],
};

function withOwnNames(op: OpName, input: Input, { properties = {} }: Schema, notes: string[]): Input {
	const own = Object.keys(properties);
	const entries = Object.entries(input).map(([name, value]): [string, unknown] => {
		if (Object.hasOwn(properties, name)) {
			return [name, value];
		}
		const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
		const meant = own.find(
			(each) => !Object.hasOwn(input, each) && (each.toLowerCase() === plain || NAMES[each]?.includes(plain)),
		);
		if (meant === undefined) {
			return [name, value];
		}
		notes.push(`"${name}" as "${meant}"`);
		return [meant, value];
	});
	return Object.fromEntries(entries);
}

/** A text: why it cannot be what is meant. */
type Shape = (input: Input, notes: string[], platform: NodeJS.Platform) => Input | string;

/** Whole inputs that are laid out in another way. */
const SHAPES: Partial<Record<OpName, Shape>> = {
	'fs.edit': (input, notes) => {
		if (Object.hasOwn(input, 'edits')) {
			const edits = fromText(input['edits']);
			const list: readonly unknown[] = Array.isArray(edits)
				? edits
				: noted([edits], 'one edit as a list of edits', notes);
			return { ...input, edits: list.map((edit) => withEditNames(edit, notes)) };
		}
		const { path, ...edit } = input;
		const { find, replace, all, ...others } = withEditNames(edit, notes);
		if (find === undefined || replace === undefined) {
			return input;
		}
		notes.push('one edit as a list of edits');
		return { ...others, path, edits: [{ find, replace, ...(all === undefined ? {} : { all }) }] };
	},
	'search.text': (input, notes) => {
		const { include } = input;
		return Array.isArray(include)
			? { ...input, include: noted(include.join(','), 'the globs of "include" as one text', notes) }
			: input;
	},
	'shell.run': (input, notes, platform) => {
		const line = lineOf(input);
		if (line === undefined) {
			return input;
		}
		const read = commandsOfLine(line, platform);
		if (read === undefined) {
			return line.trim() === '' ? 'argv: the command is empty' : `argv: ${shellLineHint(line)}`;
		}
		const [program = ''] = read.argv;
		const isShell = program === 'sh' || program === 'bash';
		notes.push(isShell ? `the line as a command of ${program}` : 'the line as a list of words');
		const { cwd, ...commands } = read;
		const { chain: _, ...others } = input;
		return { ...others, ...commands, ...(cwd !== undefined && input['cwd'] === undefined ? { cwd } : {}) };
	},
};

/** A command that is given as a line: as a text, as the only word of a list, or as words of which a shell acts on some. */
function lineOf(input: Input): string | undefined {
	const argv = fromText(input['argv']);
	if (typeof argv === 'string') {
		return argv;
	}
	const words = ops['shell.run'].params.shape.argv.safeParse(argv);
	if (!words.success) {
		return undefined;
	}
	const [only = '', ...more] = words.data;
	// A path may hold a space; a program by its name does not.
	if (more.length === 0 && /^[\w.-]+\s+\S/.test(only.trim())) {
		return only;
	}
	const chain = ops['shell.run'].params.shape.chain.safeParse(fromText(input['chain'] ?? undefined));
	return lineOfWords({ argv: words.data, ...(chain.success ? { chain: chain.data } : {}) });
}

function withEditNames(edit: unknown, notes: string[]): Input {
	const input = typeof edit === 'object' && edit !== null ? (edit as Input) : {};
	return withOwnNames('fs.edit', input, { properties: { find: {}, replace: {}, all: {} } }, notes);
}

function mendValue(value: unknown, schema: Schema, path: string, notes: string[]): unknown {
	const { type } = schema;
	const at = path === '' ? 'the input' : `"${path}"`;
	if (typeof value === 'string') {
		if (type === 'integer' || type === 'number') {
			return /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? noted(Number(value), `${at} as a number`, notes) : value;
		}
		if (type === 'boolean') {
			const word = value.trim().toLowerCase();
			return word === 'true' || word === 'false' ? noted(word === 'true', `${at} as true or false`, notes) : value;
		}
		if (type === 'array' || type === 'object') {
			const read = fromText(value);
			if (typeof read === 'object' && read !== null && Array.isArray(read) === (type === 'array')) {
				notes.push(`the JSON text in ${at}`);
				return mendValue(read, schema, path, notes);
			}
		}
	}
	if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
		return noted(String(value), `${at} as text`, notes);
	}
	if (type === 'array' && value !== undefined && value !== null) {
		const list: readonly unknown[] = Array.isArray(value) ? value : noted([value], `${at} as a list`, notes);
		return list.map((each, index) => mendValue(each, schema.items ?? {}, `${path}.${index}`, notes));
	}
	return type === 'object' && typeof value === 'object' && value !== null
		? mendMembers(value, schema, path, notes)
		: value;
}

/** What is null and need not be given was not given. */
function mendMembers(
	value: object,
	{ properties = {}, required = [] }: Schema,
	path: string,
	notes: string[],
): unknown {
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, each]) => each !== null || required.includes(name))
			.map(([name, each]) => {
				const inner = path === '' ? name : `${path}.${name}`;
				return [name, Object.hasOwn(properties, name) ? mendValue(each, properties[name] ?? {}, inner, notes) : each];
			}),
	);
}

function noted<T>(value: T, note: string, notes: string[]): T {
	notes.push(note);
	return value;
}

function fromText(value: unknown): unknown {
	if (typeof value !== 'string') {
		return value;
	}
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}
