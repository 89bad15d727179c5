/** The op of a name, with what carries it out; undefined for a name that is no op (`__proto__` is none). */
import { isOpName, ops } from '../../protocol/op-table/ops.ts';
import type { OpWork } from '../../contract/ops/perform-op.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';

export function findWork(implementations: OpImplementations, op: string): OpWork | undefined {
	if (!isOpName(op)) {
		return undefined;
	}
	const implementation = implementations[op];
	return {
		op,
		def: ops[op],
		// The params were parsed by the schema of this very op.
		prepare: (params, context) => implementation.prepare(params as never, context),
	};
}
