/** Maps a list of tools to ops; judges no rights. Ops that belong to a tool come with it; unknown tools are returned separately. */
import { canonicalOp, isOpName, opOfCall, ops } from '../../protocol/op-table/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';

/** Needed by every turn, whatever its model may ask for. */
const EVERY_TURN_OPS = ['todo.write', 'capability.list'] as const;

interface NamedOps {
	readonly ops: readonly string[];
	readonly unknown: readonly string[];
}

export function opsOfTools(tools: readonly string[]): NamedOps {
	const found = new Set<string>(EVERY_TURN_OPS);
	const unknown: string[] = [];
	for (const tool of tools) {
		const named = isOpName(canonicalOp(tool)) ? canonicalOp(tool) : opOfCall(tool, {});
		if (named === undefined) {
			unknown.push(tool);
		} else {
			found.add(named);
			for (const [name, def] of Object.entries(ops)) {
				// Parts of the same tool, which models are told of as one.
				if ((def as OpDef).sharedTool?.of === named) found.add(name);
			}
		}
	}
	if (found.has('shell.run')) {
		for (const part of ['shell.output', 'shell.stop']) found.add(part);
	}
	return { ops: [...found], unknown };
}
