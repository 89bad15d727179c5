/** Table of the consequences of each risk level for an op. Unknown ops are CONTROLLED. */
import type { OpDef } from '../../../../protocol/ops/define-op.ts';
import { isOpName, ops } from '../../../../protocol/op-table/ops.ts';
import type { RiskLevel } from '../../../../protocol/ops/risk.ts';

interface RiskLevelRules {
	/** `pass`: no question; `target`: one for each new target; `each`: one every time unless a rule names it; `always`: no rule helps. */
	readonly approval: 'pass' | 'target' | 'each' | 'always';
	/** On the disk before the effect; otherwise recorded before it, and on the disk with the next one that is. */
	readonly durableIntent: boolean;
	/** The params are assessed and simulated, as a warning only. */
	readonly assessed: boolean;
	/** Code of others must run in an OS sandbox, or the user waives it. */
	readonly sandbox: 'none' | 'permissionFlags' | 'whereAvailable' | 'required';
	/** Effects of one op in any 60 minutes; 0: only counted, unless a setting says a number. */
	readonly perHour: number;
	/** May `auto` approve it inside the workspace. */
	readonly automatic: boolean;
}

/** Rules of ops that pass without a question. */
const PASSING_RULES: RiskLevelRules = {
	approval: 'pass',
	durableIntent: false,
	assessed: false,
	sandbox: 'permissionFlags',
	perHour: 0,
	automatic: true,
};

export const RISK_LEVEL_RULES: { readonly [L in RiskLevel]: RiskLevelRules } = {
	SAFE: PASSING_RULES,
	MONITORED: PASSING_RULES,
	CONTROLLED: {
		approval: 'target',
		durableIntent: true,
		assessed: false,
		sandbox: 'whereAvailable',
		perHour: 0,
		automatic: true,
	},
	RESTRICTED: {
		approval: 'each',
		durableIntent: true,
		assessed: true,
		sandbox: 'required',
		perHour: 0,
		automatic: true,
	},
	PRIVILEGED: {
		approval: 'always',
		durableIntent: true,
		assessed: true,
		sandbox: 'required',
		perHour: 20,
		automatic: false,
	},
};

export function resolveOpRisk(op: string): RiskLevel {
	return isOpName(op) ? (ops[op] as OpDef).risk : 'CONTROLLED';
}
