/**
 * An order to watch something that is not named as a condition, or to tell the user when it happens: a model finds out how it
 * can be seen. A sub-agent that rests watches nothing.
 */
import { beginsWith, hasAnyWord, type MessageWord, toWordSet } from './message-words.ts';
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
const TOLD_WHEN = [
	'tell me when',
	'tell me once',
	'tell me as soon as',
	'let me know when',
	'let me know once',
	'let me know as soon as',
	'notify me when',
	'notify me once',
	'sag mir wenn',
	'sag mir sobald',
	'sag mir bescheid wenn',
	'sag mir bescheid sobald',
	'sag bescheid wenn',
	'sag bescheid sobald',
	'benachrichtige mich wenn',
	'benachrichtige mich sobald',
	'melde dich wenn',
	'melde dich sobald',
].map((words) => words.split(' '));

/** `words`: a single sentence. */
export function isWatchOrder(words: readonly MessageWord[]): boolean {
	if (hasAnyWord(words, DESCRIBING_WORDS)) {
		return false;
	}
	const told = TOLD_WHEN.find((each) => beginsWith(words, each));
	if (told !== undefined) {
		const what = words.slice(told.length);
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
	const what = words.slice(watch.length);
	const tells = hasAnyWord(what, TELLING_WORDS) || hasAnyWord(what, REPORTING);
	// A program does not report to the user; else only developers' things are watched by an agent.
	const isMatter = tells || hasAnyWord(what.slice(0, 5), DEVELOPERS_THINGS);
	return isMatter && !hasAnyWord(what, WATCHED_BY_PROGRAMS);
}

const REPORTING = toWordSet('report melde');

const WATCHED_BY_PROGRAMS = new Set([...SOFTWARE_THINGS].filter((word) => word !== 'thread'));
