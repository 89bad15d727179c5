/** A question that an op makes of itself, and who may answer it instead of a person. */
import type { PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import type { Text } from '../../../protocol/text/text.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';

/** Strictest level at which nobody is asked; `never`: a person always is. */
export type AutomaticFrom = Exclude<PermissionLevel, 'manual'> | 'never';

export interface GateQuestion {
	readonly rule: string;
	readonly reason: Text;
	readonly target: OpTarget | undefined;
	/** A rule or a grant may answer instead of the person. */
	readonly rules: boolean;
	readonly grants: boolean;
	readonly automatic: AutomaticFrom;
	/** The risk warning is high, so where a person is, the person is asked, whatever level or open rule would let it through. */
	readonly isDangerous?: true;
	/** The reason says no more than the kind of act does. */
	readonly isUsual?: true;
	/** Something leaves this machine, or reaches beyond the workspace and the sandbox of its command. */
	readonly isBeyond?: true;
	readonly always: boolean;
	/** At the level Manual, where nothing is automatic: what the other levels make of it. Absent: `isPartOfAll` judges it. */
	readonly isPartOfAll?: boolean;
}

/**
 * True when one yes to several acts may cover this one: only where some permission level would let it pass, inside of the
 * workspace. An act about which a person is asked at every level needs a yes of its own, and so does one that reaches
 * further.
 */
export function isPartOfAll(question: GateQuestion): boolean {
	return (
		question.isPartOfAll ??
		(question.automatic !== 'never' && question.isDangerous !== true && question.isBeyond !== true)
	);
}

/** Properties of a question that only the person answers, every time. */
export const BY_PERSON = { rules: false, grants: false, automatic: 'never', always: false } as const;
