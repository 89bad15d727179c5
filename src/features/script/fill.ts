/**
 * Replaces references in params by the values they stand for. `${id.field}` alone becomes the value itself; inside a
 * text, the value is written into the text.
 */
import { isObjectValue } from '../../base/text/lenient.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';

const STEP_REFERENCE = /\$\{([a-z][a-z0-9-]*)((?:\.[A-Za-z0-9_-]+)*)\}/g;
const LONE_REFERENCE = /^\$\{([a-z][a-z0-9-]*)((?:\.[A-Za-z0-9_-]+)*)\}$/;

/** Names of all steps that a value refers to, `item` among them. */
export function listReferencedNames(value: unknown): string[] {
	if (typeof value === 'string') {
		return Array.from(value.matchAll(STEP_REFERENCE), ([, name = '']) => name);
	}
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listReferencedNames) : [];
}

/** Throws INVALID_PARAMS for what no step gave. */
export function fillReferences(value: unknown, results: ReadonlyMap<string, unknown>): unknown {
	if (typeof value === 'string') {
		const [whole, name = '', path = ''] = LONE_REFERENCE.exec(value) ?? [];
		return whole === undefined
			? value.replaceAll(STEP_REFERENCE, (_, step: string, fields: string) =>
					toParamText(requireStepValue(step, fields, results)),
				)
			: requireStepValue(name, path, results);
	}
	if (Array.isArray(value)) {
		return value.map((each) => fillReferences(each, results));
	}
	return typeof value === 'object' && value !== null
		? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillReferences(each, results)]))
		: value;
}

function requireStepValue(name: string, path: string, results: ReadonlyMap<string, unknown>): unknown {
	let value = results.get(name);
	for (const field of path.split('.').slice(1)) {
		value = isObjectValue(value) && Object.hasOwn(value, field) ? value[field] : undefined;
	}
	if (value === undefined) {
		throw new ProwessError('INVALID_PARAMS', `\${${name}${path}} has no value`, { name });
	}
	return value;
}

function toParamText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
