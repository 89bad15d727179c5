/** The tools that a model is offered, and so the calls that are accepted. */
import type { OpName } from '../../protocol/ops.ts';
import type { ToolDeclaration } from '../models/model-port.ts';
import type { Documents } from './documents.ts';

export interface OfferedTools {
	readonly ops: ReadonlySet<OpName>;
	readonly declarations: readonly ToolDeclaration[];
	/** Texts that a sub-turn may read by name, without the host. */
	readonly documents?: Documents;
	/** Why another op is refused, after the name of its tool. */
	refusal(op: OpName): string;
}
