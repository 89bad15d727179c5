/** The types of the ops that capabilities can ask for, from their one declaration: what authors compile against. */
import * as z from '../../src/protocol/text/zod.ts';
import { OP_NAMES, ops } from '../../src/protocol/op-table/ops.ts';
import type { OpDef } from '../../src/protocol/ops/define-op.ts';
import { type Schema, typeText } from './type-text.ts';

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
