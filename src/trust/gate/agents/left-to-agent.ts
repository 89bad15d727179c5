import { isOpName, ops } from '../../../protocol/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';

/**
 * True when the list of a sub-agent lets an op pass. Ops that models are not told of always pass: the server and
 * capabilities ask for them.
 */
export function isLeftTo(list: ReadonlySet<string> | undefined, op: string): boolean {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	return list === undefined || def?.tool === undefined || def.isHousekeeping === true || list.has(op);
}
