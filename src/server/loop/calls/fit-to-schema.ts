/**
 * A value as its schema has it, where it can mean one thing only: a number as text, one item for a list or a list of one
 * item, a list as JSON text, an unset parameter as null or as an empty text, a parameter by the name that other agents have for it.
 */
import { decodePercentOrSame, parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import { readOneObject } from '../../../base/text/one-object.ts';
import type { JsonSchema } from '../../../protocol/op-table/op-tool.ts';

export type CallInput = Readonly<Record<string, unknown>>;

/** Names that other agents' tools have for the same thing, in lower case without `_` and `-`. */
const PARAMETER_ALIASES: Readonly<Record<string, readonly string[]>> = {
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

export function withOwnNames(input: CallInput, { properties = {} }: JsonSchema, notes: string[]): CallInput {
	const own = Object.keys(properties);
	const entries = Object.entries(input).map(([name, value]): [string, unknown] => {
		if (Object.hasOwn(properties, name)) {
			return [name, value];
		}
		const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
		const meant = own.find(
			(each) =>
				!Object.hasOwn(input, each) && (each.toLowerCase() === plain || PARAMETER_ALIASES[each]?.includes(plain)),
		);
		return meant === undefined ? [name, value] : [noteDeviation(meant, `"${name}" as "${meant}"`, notes), value];
	});
	return Object.fromEntries(entries);
}

/**
 * Returns the value fitted to the schema. A value that cannot be fitted stays as it is: the parser reports what is
 * wrong with it.
 */
export function fitToSchema(value: unknown, schema: JsonSchema, notes: string[], path = ''): unknown {
	const at = path === '' ? 'the input' : `"${path}"`;
	if (typeof value === 'string') {
		return fitText(value, schema, notes, path);
	}
	const { type } = schema;
	const [only, ...others] = Array.isArray(value) ? (value as readonly unknown[]) : [];
	if (typeof only === 'string' && others.length === 0 && SINGLE_VALUES.has(type)) {
		return fitToSchema(noteDeviation(only, `the only item of ${at}`, notes), schema, notes, path);
	}
	if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
		return noteDeviation(String(value), `${at} as text`, notes);
	}
	if (type === 'array' && value !== undefined && value !== null) {
		return fitList(value, schema, notes, path);
	}
	return type === 'object' && typeof value === 'object' && value !== null && !Array.isArray(value)
		? fitMembers(value as CallInput, schema, notes, path)
		: value;
}

const SINGLE_VALUES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function fitList(value: unknown, { items = {} }: JsonSchema, notes: string[], path: string): unknown[] {
	const at = path === '' ? 'the input' : `"${path}"`;
	const list: readonly unknown[] = Array.isArray(value) ? value : noteDeviation([value], `${at} as a list`, notes);
	return list.map((each, index) => fitToSchema(each, items, notes, `${path}.${index}`));
}

function fitText(value: string, schema: JsonSchema, notes: string[], path: string): unknown {
	const at = path === '' ? 'the input' : `"${path}"`;
	const { type, enum: words, anyOf = [] } = schema;
	if (words !== undefined) {
		const [meant, ...others] = words.filter(
			(word) => typeof word === 'string' && word.toLowerCase() === value.trim().toLowerCase(),
		);
		const isOne = meant !== undefined && others.length === 0 && meant !== value;
		return isOne ? noteDeviation(meant, `${at} as ${JSON.stringify(meant)}`, notes) : value;
	}
	if (type === 'integer' || type === 'number') {
		return /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? noteDeviation(Number(value), `${at} as a number`, notes) : value;
	}
	if (type === 'boolean') {
		const word = value.trim().toLowerCase();
		return word === 'true' || word === 'false'
			? noteDeviation(word === 'true', `${at} as true or false`, notes)
			: value;
	}
	const isOneOfObjects = anyOf.length > 0 && anyOf.every((each) => each.type === 'object');
	if (type === 'array' || type === 'object' || isOneOfObjects) {
		const read = fromText(value);
		if (typeof read === 'object' && read !== null && Array.isArray(read) === (type === 'array')) {
			return fitToSchema(noteDeviation(read, `the JSON text in ${at}`, notes), schema, notes, path);
		}
	}
	return type === 'array' && value.trim() !== '' ? fitList(value, schema, notes, path) : value;
}

/**
 * Fits the members of an object. Treats an optional member that is null, or empty where it may not be empty, as not
 * given.
 */
function fitMembers(value: CallInput, schema: JsonSchema, notes: string[], path: string): CallInput {
	const { properties = {}, required = [], additionalProperties } = schema;
	const others = typeof additionalProperties === 'object' ? additionalProperties : {};
	const members = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
		const isKnown = Object.hasOwn(properties, name);
		const ownSchema = (isKnown ? properties[name] : undefined) ?? others;
		const inner = path === '' ? name : `${path}.${name}`;
		const isOptional = isKnown ? !required.includes(name) : additionalProperties === false;
		if (isOptional && each === null) {
			return [];
		}
		// Lines are counted from 1 here, and from 0 elsewhere: either way it is the beginning.
		const isBeginning = name === 'offset' && (each === 0 || each === '0');
		if (isOptional && (isBeginning || (each === '' && !mayBeEmpty(ownSchema)))) {
			return noteDeviation([], `"${inner}" as not given`, notes);
		}
		const file = PATH_PARAMETERS.has(name) ? fileOfAddress(each) : undefined;
		if (file !== undefined) {
			return [[name, noteDeviation(file, `the file address in "${inner}" as a path`, notes)]];
		}
		return [[name, fitToSchema(each, ownSchema, notes, inner)]];
	});
	return Object.fromEntries(members);
}

const PATH_PARAMETERS: ReadonlySet<string> = new Set(['path', 'from', 'to', 'cwd']);

/** Path that a `file:` address names; undefined for any other value. */
function fileOfAddress(value: unknown): string | undefined {
	const isAddress = typeof value === 'string' && value.trimStart().slice(0, 5).toLowerCase() === 'file:';
	const [, rest] = isAddress ? (/^file:\/\/(?:localhost(?=\/))?(.+)$/i.exec(value.trim()) ?? []) : [];
	if (rest === undefined) {
		return undefined;
	}
	const path = decodePercentOrSame(rest);
	return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

function mayBeEmpty({ type, minLength = 0, pattern, enum: words }: JsonSchema): boolean {
	return type === 'string' && minLength === 0 && pattern === undefined && words === undefined;
}

export function noteDeviation<T>(value: T, note: string, notes: string[]): T {
	notes.push(note);
	return value;
}

/** The value of a JSON text, also one that is mended; anything else as it is. */
export function fromText(value: unknown): unknown {
	if (typeof value !== 'string') {
		return value;
	}
	const first = value.trimStart().charAt(0);
	const read = first === '{' || first === '[' ? readOneObject(value) : undefined;
	return read?.kind === 'read' ? read.value : (parseJsonOrUndefined(value) ?? value);
}
