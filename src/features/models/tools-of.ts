/**
 * Executions that ask models, and the ops that the model of a sub-turn is offered: those asked for, that a model can call,
 * and that its execution may use.
 */
import type { Caller } from '../../contract/ops/caller.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { canonicalOp, isOpName, OP_NAMES, type OpName, ops } from '../../protocol/op-table/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { compareRisk, type Permission, type RiskLevel } from '../../protocol/ops/risk.ts';

export type ExecutionCaller = Extract<Caller, { kind: 'execution' }>;

export function requireExecutionCaller(caller: Caller): ExecutionCaller {
	if (caller.kind !== 'execution') {
		throw new ProwessError('INVALID_STATE', 'models are asked by executions');
	}
	return caller;
}

/** In the table's order. Throws INVALID_PARAMS for a name that is no tool; one that is not permitted is left out. */
export function listSubTurnTools(
	wanted: readonly string[] | undefined,
	{ permissions, level }: { readonly permissions: ReadonlySet<Permission>; readonly level: RiskLevel },
): OpName[] {
	const tools = OP_NAMES.filter((name) => (ops[name] as OpDef).tool !== undefined);
	const unknown = wanted?.map(canonicalOp).filter((name) => !isOpName(name) || !tools.includes(name)) ?? [];
	if (unknown.length > 0) {
		throw new ProwessError('INVALID_PARAMS', `tools: ${unknown.join(', ')}; expected some of ${tools.join(', ')}`, {
			unknown,
		});
	}
	const asked = new Set<string>(wanted?.map(canonicalOp) ?? tools);
	return tools.filter((name) => {
		const { permission, risk, callers }: OpDef = ops[name];
		const isAllowed = permissions.has(permission) && compareRisk(risk, level) <= 0;
		return asked.has(name) && isAllowed && callers?.includes('execution') !== false;
	});
}
