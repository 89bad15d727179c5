/** Stage 4: which tools the model is offered, and so which calls are accepted. */
import type { Mode } from '../../protocol/thread.ts';
import type { OfferedTools } from '../loop/offered-tools.ts';
import { declareTools, needsEditor, offeredOps } from '../prompt/tool-declarations.ts';

export function toolSplit(mode: Mode, hasEditor: boolean): OfferedTools {
	const names = offeredOps(mode, hasEditor);
	return {
		ops: new Set(names),
		declarations: declareTools(names),
		refusal: (op) =>
			needsEditor(op) ? 'needs an editor; there is none here' : 'is not available in ask mode, which only reads',
	};
}
