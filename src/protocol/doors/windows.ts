/**
 * A door of another process → a window of the editor: questions of its gate, which are shown there, too. The door listens and
 * the window attaches, as to a background host; then the door asks. A call that is cancelled takes its question back.
 */
import { Approval, ApprovalAnswer, DeskQuestion } from '../approvals/approvals.ts';
import { defineRequest } from '../rpc/message.ts';
import * as z from '../text/zod.ts';

export const windowRequests = {
	/** Null: nobody has answered. */
	approve: defineRequest(
		'window/approve',
		z.object({ approval: Approval }),
		z.object({ answer: ApprovalAnswer.nullable() }),
	),
	/** Null: nobody has answered. */
	answer: defineRequest(
		'window/answer',
		z.object({ question: DeskQuestion }),
		z.object({ words: z.string().nullable() }),
	),
} as const;
