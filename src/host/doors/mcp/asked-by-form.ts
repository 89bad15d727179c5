/** Questions of the desk as forms of an MCP client, and what its answers mean. */
import { inputResponse, type ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { GivenAnswer } from '../../../contract/approvals.ts';
import type { Approval, DeskQuestion } from '../../../protocol/approvals/approvals.ts';
import { inEnglish } from '../../../protocol/text/text.ts';

/** Key of the only answer of a form. */
export const ANSWER_KEY = 'answer';

const MAX_FORM_REASON = 4_000;

/** `words`: the whole of what the approval is about. Answers that outlive this server are not offered. */
export function approvalForm(approval: Approval, words: string): ElicitRequestFormParams {
	const { isOnceOffered, threadScope } = approval;
	const choices = [
		...(isOnceOffered ? [{ const: 'once', title: 'Yes, once' }] : []),
		...(threadScope === null
			? []
			: [{ const: 'thread', title: `Yes, until this server ends: ${inEnglish(threadScope)}` }]),
		{ const: 'deny', title: 'No' },
	];
	return {
		mode: 'form',
		message: `Prowess asks for your approval.\n\n${words.trim()}`,
		requestedSchema: {
			type: 'object',
			properties: {
				[ANSWER_KEY]: { type: 'string', title: 'Allow?', oneOf: choices },
				reason: { type: 'string', title: 'Why not', maxLength: MAX_FORM_REASON },
			},
			required: [ANSWER_KEY],
		},
	};
}

/** Undefined: no answer, which is a no. */
export function readApproval(responses: Record<string, unknown> | undefined): GivenAnswer | undefined {
	const answer = inputResponse(responses, ANSWER_KEY);
	if (answer.kind !== 'elicit' || answer.action === 'cancel') return undefined;
	const { [ANSWER_KEY]: chosen, reason } = answer.content ?? {};
	const why = typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.slice(0, MAX_FORM_REASON) } : {};
	if (answer.action === 'decline') return { kind: 'deny', ...why };
	switch (chosen) {
		case 'once':
		case 'thread':
			return { kind: chosen };
		case 'deny':
			return { kind: 'deny', ...why };
		default:
			return undefined;
	}
}

export function createQuestionForm({ question, options }: DeskQuestion): ElicitRequestFormParams {
	return {
		mode: 'form',
		message: `A capability asks, in its own words:\n\n${question}`,
		requestedSchema: {
			type: 'object',
			properties: {
				[ANSWER_KEY]: { type: 'string', title: 'Answer', ...(options.length > 0 && { enum: [...options] }) },
			},
			required: [ANSWER_KEY],
		},
	};
}

export function readWords(responses: Record<string, unknown> | undefined): string | undefined {
	const answer = inputResponse(responses, ANSWER_KEY);
	const words = answer.kind === 'elicit' && answer.action === 'accept' ? answer.content?.[ANSWER_KEY] : undefined;
	return typeof words === 'string' && words !== '' ? words : undefined;
}
