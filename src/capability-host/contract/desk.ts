import type { Event } from '../../base/emitter.ts';
import type { ApprovalAnswer, Desk } from '../../protocol/approvals.ts';
import type { ApprovalId, QuestionId } from '../../protocol/ids.ts';

/** Approvals and questions that wait for a person. */
export interface ApprovalDesk {
	readonly current: Desk;
	readonly onDidChange: Event<Desk>;
	/** False when it was already decided, has expired or never existed, or did not offer this answer. */
	approve(id: ApprovalId, answer: ApprovalAnswer): boolean;
	reply(id: QuestionId, answer: string): boolean;
}
