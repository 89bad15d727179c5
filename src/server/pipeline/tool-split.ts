/** Stage 4: which tools the model is offered, and so which calls are accepted. */
import type { OpName } from '../../protocol/ops.ts';
import type { Mode } from '../../protocol/thread.ts';
import type { ToolDeclaration } from '../models/model-port.ts';
import { declareTool, offeredOps } from '../prompt/tool-declarations.ts';

export interface OfferedTools {
	readonly ops: ReadonlySet<OpName>;
	readonly declarations: readonly ToolDeclaration[];
}

export function toolSplit(mode: Mode): OfferedTools {
	const names = offeredOps(mode);
	return { ops: new Set(names), declarations: names.map(declareTool) };
}
