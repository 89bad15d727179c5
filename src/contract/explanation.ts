/** Explanation of how an op would be judged, for the person who asks. */
import type { OpDetail } from '../protocol/approvals/approvals.ts';
import type { PermissionLevel } from '../protocol/permission-level.ts';
import type { Permission, RiskLevel } from '../protocol/ops/risk.ts';

/** `invalid`: there is no such op, or it cannot be meant so. */
export interface Explanation {
	readonly op: string;
	readonly title: string;
	readonly decision: 'allow' | 'ask' | 'deny' | 'invalid';
	/** The rule, the level or the property that spoke. */
	readonly rule: string;
	readonly reason: string;
	readonly level: RiskLevel | null;
	readonly permission: Permission | null;
	/** Effects in any 60 minutes; 0: no limit. */
	readonly perHour: number;
	/** Content of the approval; null when nobody would be asked. */
	readonly asked: {
		readonly detail: OpDetail | null;
		readonly pattern: string | null;
		readonly threadScope: string | null;
		/** Narrowest permission level at which nobody would be asked; null: at every level somebody is. */
		readonly passesAt: PermissionLevel | null;
		readonly warning: string | null;
	} | null;
	/** Permission level by which it was judged. */
	readonly threadLevel: PermissionLevel;
	/** Why the op was judged by what was written only. */
	readonly unprepared: string | null;
}

/** Why an open approval asks, and the same as a question to test rules with, without secrets. */
export interface WhyAsked {
	readonly explanation: Explanation;
	readonly question: string;
}
