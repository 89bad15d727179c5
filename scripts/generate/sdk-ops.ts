/** The types of the ops that capabilities can ask for, from their one declaration: what authors compile against. */
import * as z from '../../src/protocol/text/zod.ts';
import { OP_NAMES, ops } from '../../src/protocol/op-table/ops.ts';
import type { OpDef } from '../../src/protocol/ops/define-op.ts';

type Schema = z.core.JSONSchema.BaseSchema;

export function sdkOps(): Readonly<Record<string, string>> {
	const rows = OP_NAMES.flatMap((name) => {
		const { params, result, risk, permission, callers }: OpDef = ops[name];
		return callers !== undefined && !callers.includes('execution')
			? []
			: [
					`\t/** ${risk}, with the permission \`${permission}\`. */`,
					`\t'${name}': {`,
					`\t\tparams: ${typeText(schemaOf(params, 'input'))};`,
					`\t\tresult: ${typeText(schemaOf(result, 'output'))};`,
					'\t};',
				];
	});
	const head = '/** Params and result of each op. Generated: `npm run generate`. */\nexport interface Ops {';
	return { 'sdk/ops.d.ts': `${[head, ...rows, '}'].join('\n')}\n` };
}

function schemaOf(declared: z.ZodType, io: 'input' | 'output'): Schema {
	return z.toJSONSchema(declared, { io, unrepresentable: 'any' });
}

/** More are a list that grows, such as that of the codes of errors. */
const MOST_WORDS = 20;

/** A schema that says no more than a type can is that type; bounds and patterns are for the host. */
function typeText(schema: Schema | boolean): string {
	if (typeof schema === 'boolean') {
		return schema ? 'unknown' : 'never';
	}
	const { type, enum: words, const: word, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema;
	if (schema.$ref !== undefined || allOf !== undefined || Array.isArray(items)) {
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
