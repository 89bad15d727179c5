import { isOpName, ops } from '../../../protocol/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';

/** Whether a list of a sub-agent lets an op pass: what models are not told of is asked for by the server and by capabilities. */
export function isLeftTo(list: ReadonlySet<string> | undefined, op: string): boolean {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	return list === undefined || def?.tool === undefined || def.isHousekeeping === true || list.has(op);
}
