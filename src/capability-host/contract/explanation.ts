/** Explanation of how an op would be judged, for the person who asks. */
import type { ApprovalDetail } from '../../protocol/approvals.ts';
import type { Permission, RiskLevel } from '../../protocol/risk.ts';

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
		readonly detail: ApprovalDetail | null;
		readonly pattern: string | null;
		readonly threadScope: string | null;
		readonly warning: string | null;
	} | null;
	/** Why the op was judged by what was written only. */
	readonly unprepared: string | null;
}
