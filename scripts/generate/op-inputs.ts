/** JSON Schemas of what ops take, as models read them: made here, because making them takes a tenth of a start. */
import * as z from '../../src/protocol/text/zod.ts';
import { OP_NAMES, ops } from '../../src/protocol/op-table/ops.ts';
import type { OpDef } from '../../src/protocol/ops/define-op.ts';

export function opInputs(): Readonly<Record<string, string>> {
	const rows = OP_NAMES.map((name) => `\t'${name}': ${JSON.stringify(inputSchemaOf(ops[name]))},`);
	const head = [
		'/** Input of each op as a JSON Schema, without the bounds that only the host checks. Generated: `npm run generate`. */',
		"import type { OpName } from './ops.ts';",
		"import type { JsonSchema } from './op-tool.ts';",
		'',
		'export const opInputs: Readonly<Record<OpName, JsonSchema>> = {',
	];
	return { 'src/protocol/op-table/op-inputs.ts': `${[...head, ...rows, '};'].join('\n')}\n` };
}

/** Anything, where no JSON Schema can say it. */
function inputSchemaOf({ params }: OpDef): unknown {
	return withoutBounds(z.toJSONSchema(params, { target: 'draft-7', io: 'input', unrepresentable: 'any' }));
}

/** Keywords that nobody reads: neither a model nor what fits its calls to the schema. */
const unread = new Set([
	...['$schema', 'default', 'format', 'propertyNames', 'maxLength', 'minItems', 'maxItems'],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

function withoutBounds(value: unknown, isProperties = false): unknown {
	if (Array.isArray(value)) {
		return value.map((each) => withoutBounds(each));
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	// Below `properties` the keys are names of parameters: one may be called "format".
	const kept = Object.entries(value).filter(([key]) => isProperties || !unread.has(key));
	return Object.fromEntries(
		kept.map(([key, each]) => [key, withoutBounds(each, key === 'properties' && !isProperties)]),
	);
}
