/**
 * Replaces references in params by the values they stand for. `${id.field}` alone becomes the value itself; inside a
 * text, the value is written into the text.
 */
import { ProwessError } from '../../protocol/errors.ts';

const REFERENCE = /\$\{([a-z][a-z0-9-]*)((?:\.[A-Za-z0-9_-]+)*)\}/g;
const ALONE = /^\$\{([a-z][a-z0-9-]*)((?:\.[A-Za-z0-9_-]+)*)\}$/;

/** Names of all steps that a value refers to, `item` among them. */
export function namesIn(value: unknown): string[] {
	if (typeof value === 'string') {
		return Array.from(value.matchAll(REFERENCE), ([, name = '']) => name);
	}
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

/** Throws INVALID_PARAMS for what no step gave. */
export function fill(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
	if (typeof value === 'string') {
		const [whole, name = '', path = ''] = ALONE.exec(value) ?? [];
		return whole === undefined
			? value.replaceAll(REFERENCE, (_, step: string, fields: string) => asText(valueOf(step, fields, results)))
			: valueOf(name, path, results);
	}
	if (Array.isArray(value)) {
		return value.map((each) => fill(each, results));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, results)]))
		: value;
}

function valueOf(name: string, path: string, results: ReadonlyMap<string, unknown>): unknown {
	let value = results.get(name);
	for (const field of path.split('.').slice(1)) {
		value = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
	}
	if (value === undefined) {
		throw new ProwessError('INVALID_PARAMS', `\${${name}${path}} has no value`, { name });
	}
	return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

function asText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
