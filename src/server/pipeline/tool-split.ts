/** Stage 4: which tools the model is offered, and so which calls are accepted. */
import type { OpName } from '../../protocol/ops.ts';
import type { Mode } from '../../protocol/thread.ts';
import type { ToolDeclaration } from '../models/model-port.ts';
import type { Documents } from '../sub-turn/documents.ts';
import { declareTools, needsEditor, offeredOps } from '../prompt/tool-declarations.ts';

export interface OfferedTools {
	readonly ops: ReadonlySet<OpName>;
	readonly declarations: readonly ToolDeclaration[];
	/** Texts that a sub-turn may read by name, without the host. */
	readonly documents?: Documents;
	/** Why another op is refused, after the name of its tool. */
	refusal(op: OpName): string;
}

export function toolSplit(mode: Mode, hasEditor: boolean): OfferedTools {
	const names = offeredOps(mode, hasEditor);
	return {
		ops: new Set(names),
		declarations: declareTools(names),
		refusal: (op) =>
			needsEditor(op) ? 'needs an editor; there is none here' : 'is not available in ask mode, which only reads',
	};
}
