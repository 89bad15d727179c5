/** When a schedule is due, by croner: also where clocks are changed. A pattern is a cron expression of five fields, or one local time. */
import { Cron } from 'croner';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text, type Text } from '../../protocol/text/text.ts';
import { readWhen, splitWhen, type WallTime } from '../../protocol/schedule/read-when.ts';

interface ReadTiming {
	readonly pattern: string;
	readonly next: number;
}

/** Time zone of this machine. */
export function zoneHere(): string {
	return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Rejects with INVALID_PARAMS what is neither plain words nor a cron expression, and what is over. */
export function readTiming(words: string, zone: string, now: number): ReadTiming {
	const createTimingError = (why: string, said: Text, more?: { readonly isUnreadable: true }) =>
		new ProwessError('INVALID_PARAMS', why, { when: words, zone, said, ...more });
	let wall: WallTime;
	try {
		wall = wallTime(zone, now);
	} catch {
		throw createTimingError(
			`"${zone}" is not a time zone; expected one like Europe/Berlin`,
			text('"{zone}" is not a time zone; expected one like Europe/Berlin.', { zone }),
		);
	}
	const pattern = readWhen(words, wall)?.pattern ?? words.trim();
	let next: number | undefined;
	try {
		next = nextDue(pattern, zone, now);
	} catch {
		throw createTimingError(
			`"${words}" is not a time: expected words like "every weekday at 9" or a cron expression`,
			text('"{words}" is not a time. Write it like "every weekday at 9", or as a cron expression.', { words }),
			{ isUnreadable: true },
		);
	}
	if (next === undefined) {
		throw createTimingError(
			`"${words}" is over: it would never run`,
			text('"{words}" is over: it would never run.', { words }),
		);
	}
	return { pattern, next };
}

/** A text that says when and what. Undefined: it does not. */
export function splitSchedule(
	text: string,
	zone: string,
): { readonly words: string; readonly text: string } | undefined {
	const found = splitWhen(text, wallTime(zone, Date.now()));
	return found === undefined ? undefined : { words: found.words, text: found.rest };
}

/** First time after `after`; undefined when there is none. */
export function nextDue(pattern: string, zone: string, after: number): number | undefined {
	return createCron(pattern, zone).nextRun(new Date(after))?.getTime();
}

/** The latest times from `from`, which is one, to `until`, at most `most`, oldest first. */
export function latestDue(
	{ pattern, zone }: { readonly pattern: string; readonly zone: string },
	from: number,
	until: number,
	most: number,
): number[] {
	const second = nextDue(pattern, zone, from);
	if (second === undefined || second > until) {
		return [from];
	}
	// Croner looks for what lies before, to the second.
	const before = new Date(until + 1_000);
	return createCron(pattern, zone)
		.previousRuns(most, before)
		.map((date) => date.getTime())
		.filter((time) => time >= from && time <= until)
		.toReversed();
}

/** Returns the local time in a zone at a moment. */
function wallTime(zone: string, at: number): WallTime {
	const parts = new Intl.DateTimeFormat('en', {
		timeZone: zone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
	}).formatToParts(at);
	const readDatePart = (type: keyof Intl.DateTimeFormatPartTypesRegistry) =>
		Number(parts.find((each) => each.type === type)?.value);
	return {
		year: readDatePart('year'),
		month: readDatePart('month'),
		day: readDatePart('day'),
		hour: readDatePart('hour'),
		minute: readDatePart('minute'),
	};
}

function createCron(pattern: string, zone: string): Cron {
	return new Cron(pattern, { timezone: zone, paused: true, mode: '5-part' });
}
