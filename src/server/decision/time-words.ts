/** Plain words for a time at a place of a message, in English and German: where they end, and whether they come again. */
import { toWordSet } from '../turn/plain-words.ts';
import { isCountWord, type MessageWord } from './message-words.ts';

interface TimeWords {
	/** Index of the word behind them. */
	readonly end: number;
	readonly isRepeated: boolean;
}

const EVERY = toWordSet('every each jeden jede jedes jeder');
const WHICH = toWordSet('other single second third few zweiten zweite dritten dritte couple');
const TIME_UNITS = toWordSet(
	'minute minutes min mins hour hours hrs day days week weeks month months quarter minuten stunde stunden tag tage tagen woche wochen monat monate monaten',
);
const PARTS = toWordSet(
	'weekday weekdays weekend weekends morning mornings evening evenings night nights afternoon noon midnight werktag wochentag wochenende morgen abend nacht mittag nachmittag workday',
);
const DAY_NAMES = toWordSet(
	'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend',
);
const AGAIN = toWordSet('hourly daily weekly monthly nightly stündlich täglich wöchentlich monatlich nächtlich');
const ADJECTIVES = toWordSet('hourly daily weekly monthly nightly');
const ON_DAYS = toWordSet(
	'mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays montags dienstags mittwochs donnerstags freitags samstags sonntags werktags morgens abends nachts',
);
const CLOCK_WORDS = toWordSet('at um gegen by around');
const CLOCK_NAMES = toWordSet('noon midnight mittag mitternacht');
const CLOCK_ENDS = toWordSet("am pm uhr o'clock a.m p.m immer sharp");
const ONCE_DAYS = toWordSet('tomorrow tonight morgen übermorgen');

/** Cheap: only with one of these a message can have a time worth reading. */
export const TIME_STARTS: ReadonlySet<string> = new Set([
	...EVERY,
	...AGAIN,
	...ON_DAYS,
	...DAY_NAMES,
	...ONCE_DAYS,
	...CLOCK_WORDS,
	'in',
	'on',
	'am',
	'alle',
	'once',
	'einmal',
	'heute',
	'an',
]);

/** Undefined: no time begins there. */
export function readTimeWords(words: readonly MessageWord[], from: number): TimeWords | undefined {
	const clockFirst = readClockWords(words, from);
	if (clockFirst !== undefined) {
		const day = readDayWords(words, clockFirst);
		return day ?? { end: clockFirst, isRepeated: false };
	}
	const day = readDayWords(words, from);
	const end = day && (readClockWords(words, day.end) ?? day.end);
	if (day === undefined || end === undefined) {
		return undefined;
	}
	// "Weekly report" is a thing; "weekly, report …" is a time.
	const isAdjective = ADJECTIVES.has(wordAt(words, from)) && end === day.end && end < words.length;
	return isAdjective && words[from]?.isPauseBehind !== true ? undefined : { ...day, end };
}

/** Time with which the words end. */
export function readLastTimeWords(
	words: readonly MessageWord[],
): { readonly from: number; readonly isRepeated: boolean } | undefined {
	for (let from = Math.max(1, words.length - MOST_TIME_WORDS); from < words.length; from += 1) {
		const time = TIME_STARTS.has(wordAt(words, from)) ? readTimeWords(words, from) : undefined;
		if (time?.end === words.length) {
			return { from, isRepeated: time.isRepeated };
		}
	}
	return undefined;
}

const MOST_TIME_WORDS = 9;

function wordAt(words: readonly MessageWord[], at: number): string {
	return words[at]?.word ?? '';
}

function readDayWords(words: readonly MessageWord[], from: number): TimeWords | undefined {
	const [first, second, third] = [wordAt(words, from), wordAt(words, from + 1), wordAt(words, from + 2)];
	const repeatTimes = (end: number): TimeWords => ({ end, isRepeated: true });
	const nameTime = (end: number): TimeWords => ({ end, isRepeated: false });
	if (EVERY.has(first) || first === 'alle') {
		return readEvery(words, from);
	}
	if (AGAIN.has(first)) {
		return repeatTimes(from + 1);
	}
	if (ON_DAYS.has(first) || ((first === 'on' || first === 'an') && ON_DAYS.has(second))) {
		return repeatTimes(from + (ON_DAYS.has(first) ? 1 : 2));
	}
	if (first === 'once' && (second === 'a' || second === 'per' || second === 'every') && TIME_UNITS.has(third)) {
		return repeatTimes(from + 3);
	}
	if (
		first === 'einmal' &&
		(second === 'am' || second === 'pro' || second === 'die' || second === 'im') &&
		TIME_UNITS.has(third)
	) {
		return repeatTimes(from + 3);
	}
	if (first === 'on' && second === 'the' && wordAt(words, from + 3) === 'of' && EVERY.has(wordAt(words, from + 4))) {
		return repeatTimes(from + 6);
	}
	if (first === 'am' && third === 'jedes' && wordAt(words, from + 3) === 'monats') {
		return repeatTimes(from + 4);
	}
	if (first === 'heute' && second === 'abend') {
		return nameTime(from + 2);
	}
	if (ONCE_DAYS.has(first)) {
		return nameTime(from + (PARTS.has(second) ? 2 : 1));
	}
	if (first === 'in' && isCountWord(second) && TIME_UNITS.has(third)) {
		return nameTime(from + 3);
	}
	if ((first === 'on' || first === 'am' || first === 'next' || first === 'nächsten') && DAY_NAMES.has(second)) {
		return nameTime(from + 2);
	}
	// A bare day is a time only with a clock behind it.
	return DAY_NAMES.has(first) && readClockWords(words, from + 1) !== undefined ? nameTime(from + 1) : undefined;
}

/** "every other day", "every 15 minutes", "each Monday and Friday", "every 1st of the month", "jeden zweiten Tag". */
function readEvery(words: readonly MessageWord[], from: number): TimeWords | undefined {
	let at = from + 1;
	if (WHICH.has(wordAt(words, at)) || isCountWord(wordAt(words, at))) {
		at += 1;
	}
	const what = wordAt(words, at);
	const isOrdinal = what.endsWith('st') || what.endsWith('nd') || what.endsWith('rd') || what.endsWith('th');
	if (isOrdinal && what.charCodeAt(0) <= 57) {
		const isOfMonth = wordAt(words, at + 1) === 'of';
		return { end: at + (isOfMonth ? 4 : 1), isRepeated: true };
	}
	const compound = what.endsWith('abend') || what.endsWith('morgen') || what.endsWith('nachmittag');
	if (!TIME_UNITS.has(what) && !PARTS.has(what) && !DAY_NAMES.has(what) && !compound) {
		return undefined;
	}
	at += 1;
	if (PARTS.has(wordAt(words, at))) {
		at += 1;
	}
	const isJoined = wordAt(words, at) === 'and' || wordAt(words, at) === 'und';
	const other = EVERY.has(wordAt(words, at + 1)) ? at + 2 : at + 1;
	if (isJoined && DAY_NAMES.has(wordAt(words, other))) {
		at = other + 1;
	}
	return { end: at, isRepeated: true };
}

/** Index behind "at 9 am", "um 17 Uhr 30", "at noon"; undefined: no clock. */
function readClockWords(words: readonly MessageWord[], from: number): number | undefined {
	if (!CLOCK_WORDS.has(wordAt(words, from))) {
		return undefined;
	}
	const time = wordAt(words, from + 1);
	const first = time.charCodeAt(0);
	const isNumber = first >= 48 && first <= 57 && time.length <= 7;
	if (!isNumber && !CLOCK_NAMES.has(time)) {
		return undefined;
	}
	let end = from + 2;
	if (CLOCK_ENDS.has(wordAt(words, end))) {
		end += 1;
		const minutes = wordAt(words, end);
		if (minutes.length === 2 && isCountWord(minutes)) {
			end += 1;
		}
	}
	return end;
}
