/** An order that is to be carried out at a named time, or again and again. */
import { beginsWith, hasAnyWord, type MessageWord } from './message-words.ts';
import {
	CHANGING_VERBS,
	DESCRIBING_WORDS,
	DEVELOPERS_THINGS,
	LOOKING_VERBS,
	RELATIVE_WORDS,
	SOFTWARE_THINGS,
	SUBJECT_PRONOUNS,
	TELLING_WORDS,
	WRITING_VERBS,
} from './order-words.ts';
import { readLastTimeWords, readTimeWords, TIME_STARTS } from './time-words.ts';

/** `order`: nothing else is meant. `maybe`: the user may mean it, or a program that does it. */
type ScheduleSign = 'order' | 'maybe';

const REMINDERS = ['remind me', 'set a reminder', 'erinnere mich', 'erinner mich'].map((words) => words.split(' '));
/** Words after "remind me" that lead to a matter or a time; "remind me how this works" asks for an answer. */
const REMINDED = new Set(
	'to that about at in on every each tomorrow tonight for daran an dass um morgen alle jeden jede am bitte heute'.split(
		' ',
	),
);

/** Behind the time, the user only wants to hear of it. */
const TELLING_ENDS = [
	'and tell me',
	'and let me know',
	'and report',
	'and show me',
	'and summarize',
	'and summarise',
	'und fasse',
	'und sag mir',
	'und sage mir',
	'und melde',
	'und sag bescheid',
].map((words) => words.split(' '));
/** They end an order of which the verb stands at its begin. */
const GERMAN_PREFIXES = new Set('aus auf zusammen an ab nach durch vor weg'.split(' '));

/** `words`: a single sentence. Undefined: it is none. */
export function readScheduleSign(words: readonly MessageWord[]): ScheduleSign | undefined {
	const reminder = REMINDERS.find((each) => beginsWith(words, each));
	if (reminder !== undefined) {
		return REMINDED.has(words[reminder.length]?.word ?? '') ? 'order' : undefined;
	}
	if (!hasAnyWord(words, TIME_STARTS) || hasAnyWord(words, DESCRIBING_WORDS) || saysSomethingOfIt(words)) {
		return undefined;
	}
	const first = readTimeWords(words, 0);
	if (first !== undefined) {
		return weighOrder(words.slice(first.end), true, first.isRepeated);
	}
	// Behind the verb, and before what it is done to: "Check once a day that …", "tell me every evening what …".
	const behindVerb = TELLING_WORDS.has(words[1]?.word ?? '') ? 2 : 1;
	const inside = readTimeWords(words, behindVerb);
	if (inside !== undefined && inside.end < words.length) {
		return weighOrder([...words.slice(0, behindVerb), ...words.slice(inside.end)], true, inside.isRepeated);
	}
	const told = words.findIndex((_, at) => at > 1 && TELLING_ENDS.some((each) => beginsWith(words, each, at)));
	const asked = told === -1 ? words : words.slice(0, told);
	const isCut = GERMAN_PREFIXES.has(asked.at(-1)?.word ?? '');
	const last = readLastTimeWords(isCut ? asked.slice(0, -1) : asked);
	const isTold = told !== -1;
	return last && weighOrder(words.slice(0, last.from), isTold, last.isRepeated);
}

/** Says something of what is before its last pause: "…, that is missing", "…, das fehlt noch". */
function saysSomethingOfIt(words: readonly MessageWord[]): boolean {
	const clause = words.slice(
		words.findLastIndex(({ isPauseBehind }, at) => isPauseBehind && at < words.length - 1) + 1,
	);
	// "…, das Changelog prüfen" is an order that ends in its verb.
	return (
		clause.length < words.length &&
		BACKWARD_WORDS.has(clause[0]?.word ?? '') &&
		!isGermanInfinitive(clause.at(-1)?.word ?? '')
	);
}

const BACKWARD_WORDS = new Set("that this it which that's it's das dies es was".split(' '));

/** A time before the order is the order's own; one behind it may be that of the thing before it. */
function weighOrder(
	words: readonly MessageWord[],
	isTimeFirst: boolean,
	isRepeated: boolean,
): ScheduleSign | undefined {
	const verb = findOrderVerb(words);
	if (verb === undefined || (hasAnyWord(words.slice(0, 1), SUBJECT_PRONOUNS) && !isGermanInfinitive(verb))) {
		return undefined;
	}
	const isAboutSoftware = hasAnyWord(words, SOFTWARE_THINGS);
	const isForDeveloper =
		hasAnyWord(words, DEVELOPERS_THINGS) || words.slice(0, 3).some(({ word }) => TELLING_WORDS.has(word));
	const tells = words.slice(1).some(({ word }) => TELLING_WORDS.has(word));
	const isLooking = LOOKING_VERBS.has(verb);
	const isOwnWork = isTimeFirst || isLooking || WRITING_VERBS.has(verb);
	const isDescribed = !isTimeFirst && hasAnyWord(words.slice(1), RELATIVE_WORDS) && !tells;
	if (
		!isDescribed &&
		!isAboutSoftware &&
		((isForDeveloper && isOwnWork) ||
			tells ||
			(isTimeFirst && (isLooking || verb === 'clean' || isGermanInfinitive(verb))))
	) {
		return 'order';
	}
	return isRepeated && !isDescribed ? 'maybe' : undefined;
}

/** Verb of an order: its first word in English and German, or the infinitive at its end in German. */
function findOrderVerb(words: readonly MessageWord[]): string | undefined {
	const first = words[0]?.word ?? '';
	if (isVerb(first)) {
		return first;
	}
	const end = words.findIndex(({ isPauseBehind }, at) => at > 0 && isPauseBehind);
	const last = (end === -1 ? words.at(-1) : words[end])?.word ?? '';
	return isGermanInfinitive(last) && isVerb(last) ? last : undefined;
}

function isVerb(word: string): boolean {
	return LOOKING_VERBS.has(word) || CHANGING_VERBS.has(word);
}

function isGermanInfinitive(word: string): boolean {
	return word.endsWith('en') || word.endsWith('eln');
}
