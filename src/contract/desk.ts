import type { Event } from '../base/emitter.ts';
import type { AnswerToAll, ApprovalAnswer, Desk } from '../protocol/approvals/approvals.ts';
import type { ApprovalId, QuestionId } from '../protocol/ids.ts';
import type { Text } from '../protocol/text/text.ts';
import type { Proposal } from './ops/op-implementation.ts';

/** An answer, with the text that the person made of the proposed one: from an editor of the host, never from a page. */
export type GivenAnswer = ApprovalAnswer & { readonly text?: string };

/** Approvals and questions that wait for a person. */
export interface ApprovalDesk {
	readonly current: Desk;
	readonly onDidChange: Event<Desk>;
	/** Why a rule that the person has written is not one for this question, with what to do; undefined: it is one. */
	whyNotRule(id: ApprovalId, rule: string): Text | undefined;
	/** Saves a rule that the person has written, in a dialog that no page can fill in. False as for `approve`. */
	approveWithRule(id: ApprovalId, kind: 'project' | 'always', rule: string): boolean;
	/** False when it was already decided, has expired or never existed, or did not offer this answer. */
	approve(id: ApprovalId, answer: GivenAnswer): boolean;
	/** Gives those that took the answer: which were open and offered it together with others. */
	approveAll(ids: readonly ApprovalId[], answer: AnswerToAll): ApprovalId[];
	/** The change of a file that an open question is about; undefined when it is about something else, or over. */
	proposal(id: ApprovalId): Pick<Proposal, 'path' | 'before' | 'after' | 'verify'> | undefined;
	/** Runs on a copy of the workspace what an open question is about. False when nothing can be tried, or it is tried already. */
	tryFirst(id: ApprovalId): boolean;
	reply(id: QuestionId, answer: string): boolean;
}
