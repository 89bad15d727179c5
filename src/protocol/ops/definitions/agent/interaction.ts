/** Ops that speak with the person or note something for them. */
import { MAX_REPORT_CHARS } from '../../clean-report.ts';
import * as z from '../../../text/zod.ts';
import { defineOp, TodoItem } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

export const userAsk = defineOp({
	params: z.strictObject({
		question: z.string().min(1).max(4000),
		options: z.array(z.string().min(1).max(200)).max(8).default([]),
	}),
	/** `through`: the client that the answer came through. */
	result: z.object({ answer: z.string(), through: z.string().optional() }),
	risk: 'SAFE',
	permission: 'user',
	effect: 'interact',
	timeoutMs: 0,
	tool: 'Ask what only the user can answer.',
	title: ({ question }) => text('Ask: {question}', { question }),
	present: (r) => r.answer,
	record: ({ answer, through }) => `${answer}${through === undefined ? '' : `, through ${through}`}`,
});

export const todoWrite = defineOp({
	params: z.strictObject({ items: z.array(TodoItem).max(50) }),
	result: z.object({ items: z.array(TodoItem) }),
	risk: 'SAFE',
	permission: 'thread',
	effect: 'interact',
	timeoutMs: 5_000,
	tool: 'Show the user your steps.',
	title: ({ items }) =>
		text('Plan: {done} of {all} done', { done: items.filter((i) => i.status === 'done').length, all: items.length }),
	present: (r) => `Noted ${r.items.length} items.`,
	isHousekeeping: true,
	todos: ({ items }) => items,
});

/** Progress of a capability, shown with its card. The sender waits for no answer, and a channel gives none. */
export const progressReport = defineOp({
	params: z.strictObject({
		message: z.string().min(1).max(MAX_REPORT_CHARS),
		/** From 0 to 1. */
		fraction: z.number().min(0).max(1).optional(),
	}),
	result: z.object({}),
	risk: 'SAFE',
	permission: 'thread',
	needsNoPermission: true,
	effect: 'interact',
	timeoutMs: 5_000,
	title: ({ message }) => text('Report: {message}', { message }),
	present: () => 'Reported.',
	isHousekeeping: true,
});

/** The line that a person reads. */
export function formatReport({
	message,
	fraction,
}: {
	readonly message: string;
	readonly fraction?: number | undefined;
}): string {
	return fraction === undefined ? message : `[${Math.round(fraction * 100)} %] ${message}`;
}
