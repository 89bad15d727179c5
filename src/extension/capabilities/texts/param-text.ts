/**
 * Reads a text typed into a form as the value of an input, or says why it is not one. This file does not depend on
 * vscode.
 */
import type { CapabilityInput } from '../../../protocol/capability/manifest.ts';

export type ParamProblem = 'missing' | 'notNumber' | 'notNumbers' | 'notJson' | 'notArray' | 'notObject';

/** `value` is undefined where the input is left out. `detail` is the entry, or what the parser of JSON says; else empty. */
type TypedParam = { readonly value: unknown } | { readonly problem: ParamProblem; readonly detail: string };

type ParamInput = Pick<CapabilityInput, 'type' | 'items' | 'required'>;

/** Text is taken as it is; of everything else the space around it does not count. */
export function readParam({ type, items, required }: ParamInput, text: string): TypedParam {
	const trimmed = text.trim();
	if (trimmed === '') {
		return required ? createParamProblem('missing') : { value: type === 'string' && text !== '' ? text : undefined };
	}
	switch (type) {
		case 'string':
			return { value: text };
		case 'number': {
			const value = parseDecimalNumber(trimmed);
			return value === undefined ? createParamProblem('notNumber') : { value };
		}
		case 'boolean':
			return trimmed === 'true' || trimmed === 'false' ? { value: trimmed === 'true' } : createParamProblem('notJson');
		case 'array':
			return isTypedByLines(items) && !trimmed.startsWith('[')
				? readLines(items, trimmed)
				: parseJsonParam(type, trimmed);
		default:
			return parseJsonParam(type, trimmed);
	}
}

/** Gives a list that names no type of its entries that of its default: a list of texts stays one. */
export function withItemType(input: CapabilityInput): CapabilityInput {
	const { type, items, default: given } = input;
	if (type !== 'array' || items !== undefined || !Array.isArray(given) || given.length === 0) return input;
	const found = (['string', 'number'] as const).find((each) => given.every((entry) => typeof entry === each));
	return found === undefined ? input : { ...input, items: found };
}

/** True when the entries of the list can be typed one per line; any list can be typed as JSON. */
export function isTypedByLines(items: CapabilityInput['items']): items is 'string' | 'number' {
	return items === 'string' || items === 'number';
}

/** Returns the text that a form shows for a value before anything is typed; `readParam` reads it back as that value. */
export function textOfParam(value: unknown, { type, items }: Pick<ParamInput, 'type' | 'items'>): string {
	if (value === undefined) {
		return '';
	}
	if (type === 'array' && Array.isArray(value) && value.length > 0 && isTypedByLines(items)) {
		const lines = value.map(String);
		const areLines = lines.every((line) => line.trim() === line && line !== '' && !/[\r\n]|^\[/.test(line));
		return areLines ? lines.join('\n') : JSON.stringify(value);
	}
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function readLines(items: 'string' | 'number', text: string): TypedParam {
	const entries = text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	if (items === 'string') {
		return { value: entries };
	}
	const wrong = entries.find((entry) => parseDecimalNumber(entry) === undefined);
	return wrong === undefined ? { value: entries.map(Number) } : createParamProblem('notNumbers', wrong);
}

/** `Number` takes hexadecimal and infinity as well; a param is JSON in the end. */
function parseDecimalNumber(text: string): number | undefined {
	const isNumber = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
	return isNumber ? Number(text) : undefined;
}

function parseJsonParam(type: 'array' | 'object', text: string): TypedParam {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return createParamProblem('notJson', error instanceof Error ? error.message : String(error));
	}
	if (type === 'array') {
		return Array.isArray(value) ? { value } : createParamProblem('notArray');
	}
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? { value }
		: createParamProblem('notObject');
}

function createParamProblem(what: ParamProblem, detail = ''): TypedParam {
	return { problem: what, detail };
}
