/**
 * An order to watch something that is not named as a condition, or to tell the user when it happens: a model finds out how it
 * can be seen. A sub-agent that rests watches nothing.
 */
import { toWordSet } from '../turn/plain-words.ts';
import { beginsWith, hasAnyWord, type MessageWord } from './message-words.ts';
import { DESCRIBING_WORDS, DEVELOPERS_THINGS, SOFTWARE_THINGS, TELLING_WORDS } from './order-words.ts';

const WATCHING = [
	'keep an eye on',
	'keep watching',
	'keep monitoring',
	'monitor',
	'watch',
	'überwache',
	'beobachte',
	'behalte',
	'behalt',
].map((words) => words.split(' '));
/** Words for the past: it is asked about, not watched. */
const PAST = toWordSet('was were did had war waren wurde wurden hatte last first letzte erste');
const TELL = ['tell me', 'let me know', 'notify me', 'alert me', 'ping me'];
const TELL_IN_GERMAN = [
	'sag mir',
	'sag mir bescheid',
	'sag bescheid',
	'gib bescheid',
	'benachrichtige mich',
	'melde dich',
];
/** Each way to say "tell me", with each way to say "when". */
const TOLD_WHEN = [
	...TELL.flatMap((tell) => ['when', 'once', 'as soon as'].map((when) => `${tell} ${when}`)),
	...TELL_IN_GERMAN.flatMap((tell) => ['wenn', 'sobald'].map((when) => `${tell} ${when}`)),
].map((words) => words.split(' '));
const WHENS = ['when', 'once', 'as soon as', 'wenn', 'sobald'].map((words) => words.split(' '));

/** `words`: a single sentence. */
export function isWatchOrder(words: readonly MessageWord[]): boolean {
	if (hasAnyWord(words, DESCRIBING_WORDS)) {
		return false;
	}
	const what = readToldWhen(words);
	if (what !== undefined) {
		return (
			hasAnyWord(what.slice(0, 4), DEVELOPERS_THINGS) && !hasAnyWord(what, SOFTWARE_THINGS) && !hasAnyWord(what, PAST)
		);
	}
	const watch = WATCHING.find((each) => beginsWith(words, each));
	if (watch === undefined) {
		return false;
	}
	if (watch[0]?.startsWith('behalt') === true && !words.some(({ word }) => word === 'auge' || word === 'blick')) {
		return false;
	}
	const watched = words.slice(watch.length);
	const tells = hasAnyWord(watched, TELLING_WORDS) || hasAnyWord(watched, REPORTING);
	// A program does not report to the user; else only developers' things are watched by an agent.
	const isMatter = tells || hasAnyWord(watched.slice(0, 5), DEVELOPERS_THINGS);
	return isMatter && !hasAnyWord(watched, WATCHED_BY_PROGRAMS);
}

/** Finds what the user wants to hear of: "tell me when …", or "when …, tell me". Undefined: nothing. */
function readToldWhen(words: readonly MessageWord[]): readonly MessageWord[] | undefined {
	const told = TOLD_WHEN.find((each) => beginsWith(words, each));
	if (told !== undefined) {
		return words.slice(told.length);
	}
	const when = WHENS.find((each) => beginsWith(words, each));
	const pause = words.findIndex(({ isPauseBehind }) => isPauseBehind);
	const rest = words.slice(pause + 1);
	const isTold = [...TELL, ...TELL_IN_GERMAN].some((tell) => rest.map(({ word }) => word).join(' ') === tell);
	return when !== undefined && pause > 0 && isTold ? words.slice(when.length, pause + 1) : undefined;
}

const REPORTING = toWordSet('report melde');

const WATCHED_BY_PROGRAMS = new Set([...SOFTWARE_THINGS].filter((word) => word !== 'thread'));
