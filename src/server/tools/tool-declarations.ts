/** The ops a model may call, as it is told of them: schemas without what a model does not need, in the table's order. */
import { toolName, trimToolSchema } from '../../protocol/op-table/op-tool.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { type OpName, ops } from '../../protocol/op-table/ops.ts';
import { opInputs } from '../../protocol/op-table/op-inputs.ts';
import type { ToolDeclaration } from '../models/model-port.ts';

/**
 * Declares the ops to a model: a tool for each, or a single tool for those that share it. The same names give the same
 * bytes.
 */
export function declareTools(names: readonly OpName[]): ToolDeclaration[] {
	const listToolParts = (name: OpName) => names.filter((each) => findLeadingOp(each) === name);
	return names
		.filter((name) => !names.some((each) => findLeadingOp(name) === each))
		.map((name) => listToolParts(name).reduce(withPart, declareTool(name)));
}

function findLeadingOp(name: OpName): string | undefined {
	const { sharedTool }: OpDef = ops[name];
	return sharedTool?.of;
}

type ObjectSchema = ToolDeclaration['inputSchema'] & { readonly properties: Readonly<Record<string, unknown>> };

const declared = new Map<OpName, ToolDeclaration & { readonly inputSchema: ObjectSchema }>();

function declareTool(name: OpName): ToolDeclaration & { readonly inputSchema: ObjectSchema } {
	let declaration = declared.get(name);
	if (declaration === undefined) {
		const { tool = '' }: OpDef = ops[name];
		declaration = {
			name: toolName(name),
			description: tool,
			inputSchema: trimToolSchema(opInputs[name]) as ObjectSchema,
		};
		declared.set(name, declaration);
	}
	return declaration;
}

/**
 * Adds the part's parameters to the tool as optional ones. The tool's own requirements stay; the host reports a
 * parameter that the part lacks.
 */
function withPart({ name, description, inputSchema }: ReturnType<typeof declareTool>, part: OpName) {
	const { sharedTool, tool = '' }: OpDef = ops[part];
	const by = sharedTool?.by ?? '';
	const own = declareTool(part).inputSchema.properties;
	const properties = { ...inputSchema.properties, ...own, [by]: own[by] ?? { type: 'boolean' } };
	return { name, description: `${description} With ${by}: ${tool}`, inputSchema: { ...inputSchema, properties } };
}
