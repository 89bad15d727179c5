/**
 * Describes in words why a value does not fit: what is expected and what was found. The place stands before it, wherever it is
 * shown. People read it (in settings, manifests and errors) and models do.
 */
import type { core } from 'zod';
import { nearNames } from '../../base/text/near-names.ts';

type Issue = core.$ZodRawIssue;
type IssueOf<C extends Issue['code']> = Extract<Issue, { code: C }>;

/** Problems of one value that are named; of more the first ones. */
const NAMED_PROBLEMS = 20;
/** Values named as alternatives; of more the first ones. */
const NAMED_VALUES = 12;
/** Characters shown of a value. */
const SHOWN_CHARS = 60;

/** Each problem with its place before it, in one line; of many the first ones. */
export function problemsOf({ issues }: Pick<core.$ZodError, 'issues'>, most = NAMED_PROBLEMS): string {
	const more = issues.length > most ? `; and ${issues.length - most} more` : '';
	return issues.slice(0, most).map(placed).join('; ') + more;
}

function placed({ path, message }: Pick<core.$ZodIssue, 'path' | 'message'>): string {
	return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}

/** Without a final full stop. Undefined for an issue whose schema has words of its own. */
export function schemaProblem(issue: Issue): string | undefined {
	switch (issue.code) {
		case 'invalid_type':
			return issue.input === undefined ? 'required' : `expected ${typeInWords(issue.expected)}${found(issue.input)}`;
		case 'invalid_value':
			return issue.input === undefined ? `required, ${oneOf(issue.values)}` : invalidValue(issue);
		case 'too_small':
			return bound(issue, issue.minimum, issue.exact === true ? 'exactly' : 'at least');
		case 'too_big':
			return bound(issue, issue.maximum, issue.exact === true ? 'exactly' : 'at most');
		case 'invalid_format':
			return `expected ${formatInWords(issue)}${found(issue.input)}`;
		case 'not_multiple_of':
			return `expected a multiple of ${issue.divisor}${found(issue.input)}`;
		case 'unrecognized_keys':
			return unknownKeys(issue);
		case 'invalid_union':
			return noAlternative(issue);
		case 'invalid_key':
			return firstOf(issue.issues) ?? 'the name of an entry is not valid';
		case 'invalid_element':
			return firstOf(issue.issues) ?? 'an entry is not valid';
		case 'custom':
			return `not valid${found(issue.input)}`;
	}
}

const TYPES: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'a number',
	int: 'a whole number',
	bigint: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	tuple: 'a list',
	set: 'a list',
	object: 'an object',
	record: 'an object',
	map: 'an object',
	null: 'null',
	never: 'nothing',
	undefined: 'nothing',
	void: 'nothing',
};

function typeInWords(type: string): string {
	return (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? type;
}

function invalidValue({ values, input }: IssueOf<'invalid_value'>): string {
	const names = values.filter((value) => typeof value === 'string');
	const [near] = typeof input === 'string' ? nearNames(input, names) : [];
	return `expected ${oneOf(values)}${found(input)}${near === undefined ? '' : `; did you mean ${shown(near)}?`}`;
}

function oneOf(values: readonly unknown[]): string {
	const named = values.slice(0, NAMED_VALUES).map(shown);
	const more = values.length > NAMED_VALUES ? ', …' : '';
	return `${named.length === 1 ? '' : 'one of '}${named.join(', ')}${more}`;
}

function bound(
	{ origin, input, inclusive = true }: IssueOf<'too_small'> | IssueOf<'too_big'>,
	limit: number | bigint,
	how: string,
): string {
	const size = sizeOf(input);
	switch (origin) {
		case 'string':
			return size === 0 ? 'must not be empty' : `expected ${how} ${limit} characters, got ${size}`;
		case 'array':
		case 'set':
		case 'map':
		case 'object':
			return size === 0 ? 'must not be empty' : `expected ${how} ${limit} entries, got ${size ?? 'others'}`;
		default:
			return inclusive
				? `expected ${how} ${limit}${found(input)}`
				: `expected ${how === 'at most' ? 'less' : 'more'} than ${limit}${found(input)}`;
	}
}

function sizeOf(value: unknown): number | undefined {
	if (typeof value === 'string' || Array.isArray(value)) {
		return value.length;
	}
	return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

const FORMATS: Readonly<Record<string, string>> = {
	datetime: 'a date and time, such as 2026-11-20T14:30:00Z',
	date: 'a date, such as 2026-11-20',
	time: 'a time, such as 14:30:00',
	url: 'an address, such as https://example.org',
	email: 'an e-mail address',
	base64: 'base64',
	uuid: 'a UUID',
};

function formatInWords(issue: IssueOf<'invalid_format'>): string {
	const known = Object.hasOwn(FORMATS, issue.format) ? FORMATS[issue.format] : undefined;
	return known ?? (issue.pattern === undefined ? 'another form' : `text that matches ${issue.pattern}`);
}

function unknownKeys({ keys, inst }: IssueOf<'unrecognized_keys'>): string {
	const known = knownKeys(inst);
	const named = keys.slice(0, NAMED_VALUES).map((key) => {
		const [near] = nearNames(key, known);
		return `there is no ${shown(key)}${near === undefined ? '' : `, did you mean ${shown(near)}?`}`;
	});
	const all = known.length === 0 ? 'there is nothing to give' : `there is ${known.map(shown).join(', ')}`;
	return named.some((each) => each.endsWith('?')) && keys.length === 1
		? named.join('; ')
		: `${named.join('; ')}; ${all}`;
}

/** The fields of the object that did not take the key. */
function knownKeys(schema: unknown): string[] {
	const { _zod: { def: { shape = {} } = {} } = {} } = (schema ?? {}) as {
		readonly _zod?: { readonly def?: { readonly shape?: object } };
	};
	return Object.keys(shape);
}

/** The alternative that came farthest is the one that was meant; among those that failed at once each says what it expects. */
function noAlternative({
	errors,
	input,
	discriminator,
	options,
}: IssueOf<'invalid_union'> & { options?: readonly unknown[] }): string {
	if (discriminator !== undefined && errors.length === 0) {
		return options === undefined || options.length === 0
			? `${discriminator} has a value that is not known`
			: `${discriminator}: expected ${oneOf(options)}`;
	}
	const inside = errors.flat().filter(({ path }) => path.length > 0);
	const farthest = inside.toSorted((a, b) => b.path.length - a.path.length)[0];
	if (farthest !== undefined) {
		return placed(farthest);
	}
	const expected = new Set(
		errors.map(([first]) => (first?.code === 'invalid_type' ? typeInWords(first.expected) : undefined)),
	);
	return expected.size === 0 || expected.has(undefined)
		? (firstOf(errors.flat()) ?? 'not valid')
		: `expected ${[...expected].join(' or ')}${found(input)}`;
}

function firstOf(issues: readonly { readonly message: string }[]): string | undefined {
	return issues[0]?.message;
}

function found(value: unknown): string {
	return value === undefined ? '' : `, got ${shown(value)}`;
}

function shown(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return JSON.stringify(value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value);
		case 'number':
		case 'bigint':
		case 'boolean':
			return String(value);
		case 'object':
			return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
		default:
			return typeof value;
	}
}
