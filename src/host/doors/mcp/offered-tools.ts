/** Tools that MCP clients are offered: ops, each through the gate as any op of an agent. */
import type { Tool } from '@modelcontextprotocol/server';
import { opInputs } from '../../../protocol/op-table/op-inputs.ts';
import { toolName, trimToolSchema } from '../../../protocol/op-table/op-tool.ts';
import { type OpName, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';

const OFFERED = [
	...['capability.list', 'capability.detail', 'capability.start', 'capability.status', 'capability.stop'],
	...['search.text', 'fs.read', 'fs.list', 'fs.find', 'fs.edit', 'fs.write'],
	...['shell.run', 'shell.output', 'shell.stop'],
] as const satisfies readonly OpName[];

const opByTool = new Map<string, OpName>(OFFERED.map((op) => [toolName(op), op]));

/** True for ops that may take minutes: clients of 2025 may have their calls carried out as tasks. */
export function mayTakeMinutes(op: OpName): boolean {
	return op === 'capability.start' || op === 'shell.run';
}

/** Undefined for a tool that is not offered. */
export function offeredOp(tool: string): { readonly op: OpName; readonly def: OpDef } | undefined {
	const op = opByTool.get(tool);
	return op === undefined ? undefined : { op, def: ops[op] };
}

export function offeredTools(): Tool[] {
	return OFFERED.map((op) => {
		const { tool: description, effect } = ops[op];
		return {
			name: toolName(op),
			description,
			inputSchema: { ...(trimToolSchema(opInputs[op]) as object), type: 'object' as const },
			...(mayTakeMinutes(op) && { execution: { taskSupport: 'optional' as const } }),
			annotations: { readOnlyHint: effect === 'read', openWorldHint: false },
		};
	});
}
