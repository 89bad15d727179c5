/**
 * Plain words for a time, in English and German, as a cron expression of five fields or as one moment. They are read alone, or
 * off the beginning or the end of a longer text. Pure: what "tomorrow" is, the caller says.
 */

/** `pattern`: a cron expression, or a local time like `2026-12-24T18:00:00`. */
interface When {
	readonly pattern: string;
	/** True: it happens once. */
	readonly isOnce: boolean;
}

/** A day and a time as the clock on the wall shows them. */
export interface WallTime {
	readonly year: number;
	/** From 1. */
	readonly month: number;
	readonly day: number;
	readonly hour: number;
	readonly minute: number;
}

interface Clock {
	readonly hour: number;
	readonly minute: number;
}

const DAYS: Readonly<Record<string, number>> = {
	sun: 0,
	sunday: 0,
	sonntag: 0,
	mon: 1,
	monday: 1,
	montag: 1,
	tue: 2,
	tuesday: 2,
	dienstag: 2,
	wed: 3,
	wednesday: 3,
	mittwoch: 3,
	thu: 4,
	thursday: 4,
	donnerstag: 4,
	fri: 5,
	friday: 5,
	freitag: 5,
	sat: 6,
	saturday: 6,
	samstag: 6,
	sonnabend: 6,
};
const DAY = `(?:${Object.keys(DAYS).join('|')})s?`;
const DAY_LIST = `${DAY}(?:(?:, ?| and | und | & )(?:jeden )?${DAY})*`;
/** Days that come again, each with its part of a cron expression: day of the month, month, day of the week. */
const REPEATED: readonly (readonly [RegExp, string])[] = [
	[/^(?:every ?day|daily|each day|jeden tag|täglich|alle tage)$/, '* * *'],
	[/^(?:every weekday|each weekday|(?:on )?weekdays|jeden (?:werktag|wochentag)|werktags|an werktagen)$/, '* * 1-5'],
	[/^(?:every weekend|(?:on|at) (?:the )?weekends?|jedes wochenende|am wochenende|an wochenenden)$/, '* * 0,6'],
	[/^(?:every week|weekly|jede woche|wöchentlich)$/, '* * 1'],
	[/^(?:every month|monthly|jeden monat|monatlich)$/, '1 * *'],
	[/^(?:every year|yearly|jedes jahr|jährlich)$/, '1 1 *'],
];
const PARTS_OF_DAY: Readonly<Record<string, number>> = {
	morning: 8,
	morgen: 8,
	noon: 12,
	mittag: 12,
	afternoon: 15,
	nachmittag: 15,
	evening: 18,
	abend: 18,
	night: 22,
	nacht: 22,
};
const DEFAULT_CLOCK: Clock = { hour: 9, minute: 0 };
const TIME =
	"(?:(?:at|um|gegen) )?(?:\\d{1,2}(?:[:.]\\d{2})? ?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr(?: \\d{1,2})?|o'clock)?|noon|midnight|mittags|mitternacht)";
const MAX_WHEN_WORDS = 12;

/** `now`: what the clock on the wall shows where the words count. Undefined: they name no time. */
export function readWhen(words: string, now: WallTime): When | undefined {
	const text = words
		.trim()
		.toLowerCase()
		.replaceAll('’', "'")
		.replaceAll(/\s+/g, ' ')
		.replace(/[.,;:]$/, '');
	return readInterval(text) ?? readDelay(text, now) ?? dayAndTime(text, now);
}

/** A text that begins or ends with a time: the time, and the rest. The longest time that can be read counts. Undefined also where nothing is left. */
export function splitWhen(
	text: string,
	now: WallTime,
): { readonly when: When; readonly words: string; readonly rest: string } | undefined {
	const words = text.trim().split(/\s+/);
	if (readWhen(text, now) !== undefined) {
		return undefined;
	}
	const most = Math.min(MAX_WHEN_WORDS, words.length - 1);
	for (let count = most; count > 0; count -= 1) {
		for (const isAtEnd of [false, true]) {
			const cut = isAtEnd ? words.length - count : count;
			const head = words.slice(0, cut).join(' ');
			const tail = words.slice(cut).join(' ');
			const when = readWhen(isAtEnd ? tail : head, now);
			if (when !== undefined) {
				return { when, words: (isAtEnd ? tail : head).replace(/[.,;:]$/, ''), rest: isAtEnd ? head : tail };
			}
		}
	}
	return undefined;
}

function readInterval(text: string): When | undefined {
	if (/^(?:hourly|every hour|stündlich|jede stunde)$/.test(text)) {
		return createRepeatedWhen('0 * * * *');
	}
	const [, count = '', unit = ''] = /^(?:every|alle) (\d{1,2}) (minutes?|minuten|hours?|stunden)$/.exec(text) ?? [];
	const every = Number(count);
	const isHours = /^[hs]/.test(unit);
	// Steps that do not divide the hour, or the day, would not come at even distances.
	if (unit === '' || every === 0 || (isHours ? 24 : 60) % every !== 0) {
		return undefined;
	}
	return createRepeatedWhen(isHours ? `0 */${every} * * *` : `*/${every} * * * *`);
}

/** "in 20 minutes". */
function readDelay(text: string, now: WallTime): When | undefined {
	const [, count = '', unit = ''] =
		/^in (\d{1,4}|an?|einer|einem) (minutes?|minuten?|hours?|stunden?|days?|tag(?:en)?|weeks?|wochen?)$/.exec(text) ??
		[];
	if (unit === '') {
		return undefined;
	}
	const many = /^\d/.test(count) ? Number(count) : 1;
	const minutes = unit.startsWith('m') ? 1 : /^[hs]/.test(unit) ? 60 : /^[dt]/.test(unit) ? 1_440 : 10_080;
	return createSingleWhen(addMinutes(now, many * minutes));
}

function dayAndTime(text: string, now: WallTime): When | undefined {
	const atEnd = new RegExp(`^(.+?),? (${TIME})$`).exec(text);
	const atBegin = new RegExp(`^(${TIME}),? (.+)$`).exec(text);
	for (const [day = '', time = ''] of [
		[atEnd?.[1], atEnd?.[2]],
		[atBegin?.[2], atBegin?.[1]],
	]) {
		const clock = readClock(time);
		const found = day === '' || clock === undefined ? undefined : onDay(day, clock, now);
		if (found !== undefined) {
			return found;
		}
	}
	return onDay(text, undefined, now);
}

function onDay(day: string, given: Clock | undefined, now: WallTime): When | undefined {
	const part = /^(?:every|each|jeden|jede) (\p{L}+)$/u.exec(day)?.[1] ?? '';
	const partHour = PARTS_OF_DAY[part];
	if (partHour !== undefined) {
		return createRepeatedWhen(formatCron(given ?? { hour: partHour, minute: 0 }, '* * *'));
	}
	const clock = given ?? DEFAULT_CLOCK;
	const repeated = REPEATED.find(([pattern]) => pattern.test(day))?.[1] ?? readWeekdays(day) ?? dayOfMonth(day);
	if (repeated !== undefined) {
		return createRepeatedWhen(formatCron(clock, repeated));
	}
	const date = readCalendarDay(day, now);
	// A bare day is no time: "show me the errors of today" asks for none.
	return date === undefined || given === undefined ? undefined : createSingleWhen({ ...date, ...clock });
}

function readWeekdays(day: string): string | undefined {
	const [, every, names = ''] = new RegExp(`^(every |each |jeden |on )?(${DAY_LIST})$`).exec(day) ?? [];
	if (names === '') {
		return undefined;
	}
	const found = names.split(/, ?| and | und | & /).map((name) => name.replace(/^jeden /, ''));
	const isPlural = found.every((name) => name.endsWith('s') && DAYS[name] === undefined);
	if (!isPlural && (every === undefined || every === 'on ')) {
		return undefined;
	}
	const numbers = found.map((name) => DAYS[name] ?? DAYS[name.slice(0, -1)]);
	return `* * ${[...new Set(numbers)].toSorted((a, b) => Number(a) - Number(b)).join(',')}`;
}

function dayOfMonth(day: string): string | undefined {
	const [, en, de] =
		/^(?:on the (\d{1,2})(?:st|nd|rd|th)? of (?:every|each) month|am (\d{1,2})\. (?:jedes|jeden) monats?)$/.exec(day) ??
		[];
	const number = Number(en ?? de ?? 0);
	return number >= 1 && number <= 31 ? `${number} * *` : undefined;
}

function readCalendarDay(day: string, now: WallTime): WallTime | undefined {
	if (/^(?:today|heute)$/.test(day)) {
		return now;
	}
	if (/^(?:tomorrow|morgen)$/.test(day)) {
		return addMinutes(now, 1_440);
	}
	if (/^(?:the day after tomorrow|übermorgen)$/.test(day)) {
		return addMinutes(now, 2_880);
	}
	const iso = /^(?:on |am )?(\d{4})-(\d{2})-(\d{2})$/.exec(day);
	const german = /^(?:am )?(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(day);
	const [year, month, date] = iso === null ? [german?.[3], german?.[2], german?.[1]] : iso.slice(1);
	if (year !== undefined) {
		const named = { ...now, year: Number(year), month: Number(month), day: Number(date) };
		// The 31st of a month that has 30 days is no date.
		return addMinutes(named, 0).day === named.day ? named : undefined;
	}
	const next = new RegExp(`^(?:on |am |next |nächsten )(${DAY})$`).exec(day)?.[1];
	const weekday = next === undefined ? undefined : DAYS[next];
	if (weekday === undefined) {
		return undefined;
	}
	const today = new Date(Date.UTC(now.year, now.month - 1, now.day)).getUTCDay();
	return addMinutes(now, ((weekday - today + 6) % 7) * 1_440 + 1_440);
}

function readClock(time: string): Clock | undefined {
	const text = time.replace(/^(?:at|um|gegen) /, '');
	if (/^(?:noon|mittags)$/.test(text)) {
		return { hour: 12, minute: 0 };
	}
	if (/^(?:midnight|mitternacht)$/.test(text)) {
		return { hour: 0, minute: 0 };
	}
	const [, hours, minutes, half, afterUhr] =
		/^(\d{1,2})(?:[:.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.)?(?:uhr(?: (\d{1,2}))?|o'clock)?$/.exec(text) ?? [];
	const isBare = minutes === undefined && half === undefined && time === text && !/uhr|o'clock/.test(text);
	if (hours === undefined || isBare) {
		// A number alone is no time of day.
		return undefined;
	}
	const isAfternoon = half?.startsWith('p') === true;
	const written = Number(hours);
	if (half !== undefined && (written < 1 || written > 12)) {
		return undefined;
	}
	const hour = half === undefined ? written : (written % 12) + (isAfternoon ? 12 : 0);
	const minute = Number(minutes ?? afterUhr ?? 0);
	return hour > 23 || minute > 59 ? undefined : { hour, minute };
}

function formatCron({ hour, minute }: Clock, days: string): string {
	return `${minute} ${hour} ${days}`;
}

function createRepeatedWhen(pattern: string): When {
	return { pattern, isOnce: false };
}

function createSingleWhen({ year, month, day, hour, minute }: WallTime): When {
	const padTwoDigits = (part: number) => String(part).padStart(2, '0');
	return {
		pattern: `${year}-${padTwoDigits(month)}-${padTwoDigits(day)}T${padTwoDigits(hour)}:${padTwoDigits(minute)}:00`,
		isOnce: true,
	};
}

function addMinutes({ year, month, day, hour, minute }: WallTime, minutes: number): WallTime {
	const date = new Date(Date.UTC(year, month - 1, day, hour, minute + minutes));
	return {
		year: date.getUTCFullYear(),
		month: date.getUTCMonth() + 1,
		day: date.getUTCDate(),
		hour: date.getUTCHours(),
		minute: date.getUTCMinutes(),
	};
}
