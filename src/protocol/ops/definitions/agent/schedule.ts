/** Schedules that an agent asks for: none is kept without the user's yes to its very words. */
import { shortenToLine } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const MAX_SCHEDULE_CHARS = 20_000;

export const scheduleAdd = defineOp({
	params: z.strictObject({
		/**
		 * A time in plain words, as "every weekday at 9", a cron expression of five fields, or a condition, as "when src/**
		 * changes". A condition costs no tokens until it holds.
		 */
		when: z.string().trim().min(1).max(2_000),
		text: z.string().trim().min(1).max(MAX_SCHEDULE_CHARS),
		/** `reminder`: the text is shown, and no model is asked. */
		kind: z.enum(['prompt', 'reminder']).default('prompt'),
		/** `ask` only reads. */
		mode: z.enum(['ask', 'agent']).default('ask'),
		/** Time for which a condition is waited for, as "3 days"; absent: 7 days. */
		for: z.string().trim().min(1).max(100).optional(),
		/** Runs at most, of a condition that begins with "whenever". */
		most: z.int().positive().max(1_000).optional(),
	}),
	result: z.object({
		id: z.string(),
		when: z.string(),
		/** When it runs next, or is polled. Null: it has no run to come. */
		next: z.iso.datetime().nullable(),
		zone: z.string(),
		/** Time at which a condition is given up. */
		ends: z.iso.datetime().optional(),
	}),
	risk: 'PRIVILEGED',
	permission: 'user',
	effect: 'execute',
	// A condition is polled once before it is kept.
	timeoutMs: 90_000,
	callers: ['agent'],
	tool: 'Schedule a prompt or a reminder, at a time or on a condition: "when branch main moves", "when src/api changes". The user approves it first.',
	isRare: true,
	title: ({ when, text: words }) =>
		text('Schedule {when}: {words}', { when: shortenToLine(when), words: shortenToLine(words) }),
	present: ({ id, next, zone, ends }) =>
		ends === undefined
			? `Scheduled as ${id}; next: ${next ?? 'never'} (${zone}).`
			: `Watched as ${id} until ${ends}. Nothing else is to be done until it holds: do not poll yourself.`,
});

/** A schedule of the open project, or a reminder, which belongs to no project. */
const ListedSchedule = z.object({
	id: z.string(),
	kind: z.enum(['prompt', 'reminder']),
	text: z.string(),
	when: z.string(),
	/** Null: paused, or it has no run to come. */
	next: z.iso.datetime().nullable(),
	zone: z.string(),
	isPaused: z.boolean(),
	/** State of a condition; absent for a time. */
	watch: z
		.object({
			ends: z.iso.datetime(),
			polls: z.int().nonnegative(),
			lastPoll: z.iso.datetime().nullable(),
			/** Result of the last poll, or why it found nothing. */
			found: z.string(),
			held: z.int().nonnegative(),
		})
		.optional(),
});
export type ListedSchedule = z.infer<typeof ListedSchedule>;

export const scheduleList = defineOp({
	params: z.strictObject({}),
	result: z.object({ schedules: z.array(ListedSchedule) }),
	risk: 'SAFE',
	permission: 'user',
	effect: 'read',
	timeoutMs: 10_000,
	callers: ['agent'],
	title: () => text('List schedules'),
	present: ({ schedules }) =>
		schedules.map(({ id, when, text }) => `${id}: ${when}: ${shortenToLine(text)}`).join('\n') || 'None.',
});

/** The user's own act, in a thread: the host carries it out only where it saw the user's message ask for just this. */
export const scheduleSwitch = defineOp({
	params: z.strictObject({ name: z.string().trim().min(1).max(200).optional(), isPaused: z.boolean() }),
	result: ListedSchedule,
	risk: 'MONITORED',
	permission: 'user',
	effect: 'interact',
	timeoutMs: 10_000,
	callers: ['agent'],
	title({ name, isPaused }) {
		if (name === undefined) {
			return isPaused ? text('Pause the schedule') : text('Resume the schedule');
		}
		return isPaused
			? text('Pause the schedule {name}', { name: shortenToLine(name) })
			: text('Resume the schedule {name}', { name: shortenToLine(name) });
	},
	present: ({ id, isPaused }) => `${id} is ${isPaused ? 'paused' : 'resumed'}.`,
});
