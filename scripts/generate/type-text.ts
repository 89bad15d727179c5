/** Types of TypeScript from JSON schemas, for what authors and other programs compile against. */
import type * as z from '../../src/protocol/text/zod.ts';

export type Schema = z.core.JSONSchema.BaseSchema;

/** More are a list that grows, such as that of the codes of errors. */
const MOST_WORDS = 20;

/**
 * A schema that says no more than a type can is that type; bounds and patterns are for the host. A reference is the name of
 * what it refers to.
 */
export function typeText(schema: Schema | boolean): string {
	if (typeof schema === 'boolean') {
		return schema ? 'unknown' : 'never';
	}
	const { type, enum: words, const: word, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema;
	if (schema.$ref !== undefined) {
		return schema.$ref.replace('#/$defs/', '');
	}
	if (allOf !== undefined || Array.isArray(items)) {
		throw new Error(`no type is known for ${JSON.stringify(schema)}`);
	}
	const either = anyOf ?? oneOf;
	if (either !== undefined) {
		return either.map(typeText).join(' | ');
	}
	if (words !== undefined || word !== undefined) {
		const each = (words ?? [word]).map((one) => JSON.stringify(one));
		return each.length > MOST_WORDS ? 'string' : each.join(' | ');
	}
	if (Array.isArray(type)) {
		return type.map((each) => typeText({ ...schema, type: each })).join(' | ');
	}
	switch (type) {
		case undefined:
			return 'unknown';
		case 'array':
			return `readonly ${inParentheses(typeText(items ?? true))}[]`;
		case 'object':
			return properties === undefined
				? `Readonly<Record<string, ${typeText(additionalProperties ?? true)}>>`
				: objectText(properties, schema.required ?? []);
		case 'integer':
			return 'number';
		default:
			return type;
	}
}

function objectText(properties: Readonly<Record<string, Schema | boolean>>, required: readonly string[]): string {
	const members = Object.entries(properties).map(
		([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(member)}`,
	);
	return members.length === 0 ? 'Readonly<Record<string, never>>' : `{ ${members.join('; ')} }`;
}

function inParentheses(text: string): string {
	return /^\w+$/.test(text) ? text : `(${text})`;
}
