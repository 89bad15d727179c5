/** Schedules that an agent asks for: none is kept without the user's yes to its very words. */
import { cutText } from '../../../base/text/cut-text.ts';
import * as z from '../../text/zod.ts';
import { defineOp } from '../define-op.ts';

const MAX_TEXT = 20_000;

export const scheduleAdd = defineOp({
	params: z.strictObject({
		/** Plain words, as "every weekday at 9", or a cron expression of five fields. */
		when: z.string().trim().min(1).max(200),
		text: z.string().trim().min(1).max(MAX_TEXT),
		/** `reminder`: the text is shown, and no model is asked. */
		kind: z.enum(['prompt', 'reminder']).default('prompt'),
		/** `ask` only reads. */
		mode: z.enum(['ask', 'agent']).default('ask'),
	}),
	result: z.object({
		id: z.string(),
		when: z.string(),
		/** Null: it has no run to come. */
		next: z.iso.datetime().nullable(),
		zone: z.string(),
	}),
	risk: 'PRIVILEGED',
	permission: 'user',
	effect: 'execute',
	timeoutMs: 10_000,
	callers: ['agent'],
	tool: 'Schedule a prompt or a reminder. The user approves it first.',
	isRare: true,
	title: ({ when, text }) => `Schedule ${line(when)}: ${line(text)}`,
	present: ({ id, next, zone }) => `Scheduled as ${id}; next: ${next ?? 'never'} (${zone}).`,
});

function line(text: string): string {
	return cutText(text.replaceAll(/\s+/g, ' '), 80);
}
