/**
 * Describes in words why a value does not fit: what is expected and what was found. The place stands before it, wherever it is
 * shown. People read it (in settings, manifests and errors) and models do.
 */
import type { core } from 'zod';
import { formatPlacedIssue, joinIssues } from '../../base/text/message-of.ts';
import { findNearNames } from '../../base/text/near-names.ts';
import { inEnglish, joinTexts, text, type Text } from './text.ts';

type Issue = core.$ZodRawIssue;
type IssueOf<C extends Issue['code']> = Extract<Issue, { code: C }>;

/** Values named as alternatives; of more the first ones. */
const NAMED_VALUES = 12;
/** Characters shown of a value. */
const SHOWN_VALUE_CHARS = 60;

/** Each problem with its place before it, in one line; of many the first ones. */
export function formatSchemaProblems({ issues }: Pick<core.$ZodError, 'issues'>, most?: number): string {
	return joinIssues(issues, most);
}

/** The words for an issue, in English, without a final full stop. */
export function describeSchemaIssue(issue: Issue): string {
	return inEnglish(schemaText(issue));
}

/** The same as a text, which is translated where it is shown. */
export function schemaText(issue: Issue): Text {
	switch (issue.code) {
		case 'invalid_type':
			return issue.input === undefined
				? text('required')
				: addFoundValue(text('expected {what}', { what: typeInWords(issue.expected) }), issue.input);
		case 'invalid_value':
			return issue.input === undefined
				? text('required, {what}', { what: describeChoices(issue.values) })
				: invalidValue(issue);
		case 'too_small':
			return describeBound(issue, issue.minimum, issue.exact === true ? 'exactly' : 'at least');
		case 'too_big':
			return describeBound(issue, issue.maximum, issue.exact === true ? 'exactly' : 'at most');
		case 'invalid_format':
			return addFoundValue(text('expected {what}', { what: formatInWords(issue) }), issue.input);
		case 'not_multiple_of':
			return addFoundValue(text('expected a multiple of {divisor}', { divisor: Number(issue.divisor) }), issue.input);
		case 'unrecognized_keys':
			return unknownKeys(issue);
		case 'invalid_union':
			return noAlternative(issue);
		case 'invalid_key':
			return findFirstProblem(issue.issues) ?? text('the name of an entry is not valid');
		case 'invalid_element':
			return findFirstProblem(issue.issues) ?? text('an entry is not valid');
		case 'custom':
			return addFoundValue(text('not valid'), issue.input);
	}
}

const TEXT_TYPE = text('text');
const NUMBER_TYPE = text('a number');
const WHOLE_NUMBER = text('a whole number');
const LIST_TYPE = text('a list');
const OBJECT = text('an object');
const NOTHING_TYPE = text('nothing');

const TYPE_TEXTS: Readonly<Record<string, Text>> = {
	string: TEXT_TYPE,
	number: NUMBER_TYPE,
	int: WHOLE_NUMBER,
	bigint: WHOLE_NUMBER,
	boolean: text('true or false'),
	array: LIST_TYPE,
	tuple: LIST_TYPE,
	set: LIST_TYPE,
	object: OBJECT,
	record: OBJECT,
	map: OBJECT,
	never: NOTHING_TYPE,
	undefined: NOTHING_TYPE,
	void: NOTHING_TYPE,
};

/** A type without a word of ours is said as it is called. */
function typeInWords(type: string): Text | string {
	return (Object.hasOwn(TYPE_TEXTS, type) ? TYPE_TEXTS[type] : undefined) ?? type;
}

function invalidValue({ values, input }: IssueOf<'invalid_value'>): Text {
	const names = values.filter((value) => typeof value === 'string');
	const [near] = typeof input === 'string' ? findNearNames(input, names) : [];
	const problem = addFoundValue(text('expected {what}', { what: describeChoices(values) }), input);
	return near === undefined
		? problem
		: text('{problem}; did you mean {near}?', { problem, near: formatFoundValue(near) });
}

function describeChoices(values: readonly unknown[]): Text | string {
	const named = joinAlternatives(values.slice(0, NAMED_VALUES).map(formatFoundValue));
	if (values.length === 1) {
		return named;
	}
	const more = values.length > NAMED_VALUES ? text('{values}, …', { values: named }) : named;
	return text('one of {values}', { values: more });
}

/** With commas between them. */
function joinAlternatives(all: readonly (Text | string)[]): Text | string {
	const [only] = all;
	return all.length === 1 && only !== undefined
		? only
		: text(all.map((_, index) => `{${index}}`).join(', '), Object.fromEntries(all.entries()));
}

function describeBound(
	{ origin, input, inclusive = true }: IssueOf<'too_small'> | IssueOf<'too_big'>,
	limit: number | bigint,
	how: keyof typeof BOUND_TEXTS,
): Text {
	const size = measureValue(input);
	const args = { how: BOUND_TEXTS[how], limit: Number(limit) };
	switch (origin) {
		case 'string':
			return size === 0
				? text('must not be empty')
				: text('expected {how} {limit} characters, got {size}', { ...args, size: size ?? 0 });
		case 'array':
		case 'set':
		case 'map':
		case 'object':
			return size === 0
				? text('must not be empty')
				: text('expected {how} {limit} entries, got {size}', { ...args, size: size ?? text('others') });
		default:
			return addFoundValue(
				inclusive
					? text('expected {how} {limit}', args)
					: how === 'at most'
						? text('expected less than {limit}', args)
						: text('expected more than {limit}', args),
				input,
			);
	}
}

const BOUND_TEXTS = { exactly: text('exactly'), 'at least': text('at least'), 'at most': text('at most') } as const;

function measureValue(value: unknown): number | undefined {
	if (typeof value === 'string' || Array.isArray(value)) {
		return value.length;
	}
	return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

const FORMATS: Readonly<Record<string, Text>> = {
	datetime: text('a date and time, such as 2026-11-20T14:30:00Z'),
	date: text('a date, such as 2026-11-20'),
	time: text('a time, such as 14:30:00'),
	url: text('an address, such as https://example.org'),
	email: text('an e-mail address'),
	base64: text('base64'),
	uuid: text('a UUID'),
};

function formatInWords(issue: IssueOf<'invalid_format'>): Text {
	const known = Object.hasOwn(FORMATS, issue.format) ? FORMATS[issue.format] : undefined;
	return (
		known ??
		(issue.pattern === undefined
			? text('another form')
			: text('text that matches {pattern}', { pattern: issue.pattern }))
	);
}

function unknownKeys({ keys, inst }: IssueOf<'unrecognized_keys'>): Text {
	const known = knownKeys(inst);
	const named = keys.slice(0, NAMED_VALUES).map((key) => {
		const [near] = findNearNames(key, known);
		return { near, words: text('there is no {key}', { key: formatFoundValue(key) }) };
	});
	const said = named.map(({ near, words }) =>
		near === undefined
			? words
			: text('{problem}, did you mean {near}?', { problem: words, near: formatFoundValue(near) }),
	);
	const all =
		known.length === 0
			? text('there is nothing to give')
			: text('there is {known}', { known: joinAlternatives(known.map(formatFoundValue)) });
	return keys.length === 1 && named.some(({ near }) => near !== undefined)
		? inSequence(said)
		: inSequence([...said, all]);
}

function inSequence(all: readonly Text[]): Text {
	const [only = text(''), ...others] = all;
	return others.length === 0
		? only
		: text(all.map((_, index) => `{${index}}`).join('; '), Object.fromEntries(all.entries()));
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
}: IssueOf<'invalid_union'> & { options?: readonly unknown[] }): Text {
	if (discriminator !== undefined && errors.length === 0) {
		return options === undefined || options.length === 0
			? text('{name} has a value that is not known', { name: discriminator })
			: text('{name}: expected {what}', { name: discriminator, what: describeChoices(options) });
	}
	const inside = errors.flat().filter(({ path }) => path.length > 0);
	const farthest = inside.toSorted((a, b) => b.path.length - a.path.length)[0];
	if (farthest !== undefined) {
		return joinTexts(formatPlacedIssue(farthest));
	}
	const expected = new Set(
		errors.map(([first]) => (first?.code === 'invalid_type' ? typeInWords(first.expected) : undefined)),
	);
	const named = [...expected].filter((each) => each !== undefined);
	if (named.length === 0 || named.length < expected.size) {
		return findFirstProblem(errors.flat()) ?? text('not valid');
	}
	const [first = '', ...others] = named;
	const either = others.reduce((left: Text | string, right) => text('{left} or {right}', { left, right }), first);
	return addFoundValue(text('expected {what}', { what: either }), input);
}

/** The words of the first issue, which it has already. */
function findFirstProblem(issues: readonly { readonly message: string }[]): Text | undefined {
	const [first] = issues;
	return first === undefined ? undefined : joinTexts(first.message);
}

function addFoundValue(problem: Text, value: unknown): Text {
	return value === undefined ? problem : text('{problem}, got {value}', { problem, value: formatFoundValue(value) });
}

function formatFoundValue(value: unknown): Text | string {
	switch (typeof value) {
		case 'string':
			return JSON.stringify(value.length > SHOWN_VALUE_CHARS ? `${value.slice(0, SHOWN_VALUE_CHARS)}…` : value);
		case 'number':
		case 'bigint':
		case 'boolean':
			return String(value);
		case 'object':
			return value === null ? 'null' : Array.isArray(value) ? LIST_TYPE : OBJECT;
		default:
			return typeof value;
	}
}
