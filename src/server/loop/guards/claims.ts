/**
 * Finds claims of effects in an answer: that files were changed, commands or tests run, work committed, sent or installed.
 * English and German. Only plain statements of the agent about itself count: a first person, or, in the answer to an order, a
 * subject that is left out ("Fixed `a.ts`.") and a new state ("The server is now running."). A passive, a third person, a
 * wish, a plan, a condition, a question, a quotation and a "not" are no claim. A missed claim does little harm; a false alarm
 * does much. Sentences are read word by word, so that few patterns are compiled.
 */
import { hasPlainWord, readPlainWords } from '../../turn/plain-words.ts';
import { mayHaveFence, splitAnswerSentences } from './answer-sentences.ts';
import {
	BETWEEN_SUBJECT_AND_VERB,
	CLAIM_VERBS,
	type ClaimKind,
	type ClaimVerb,
	MEMORY_WORDS,
	NOT_PLAIN,
	OF_OTHERS,
	OPENED_THINGS,
	WORK_WORDS,
} from './claim-verbs.ts';

export interface Claim {
	readonly kind: ClaimKind;
	/** Sentence of the answer. */
	readonly sentence: string;
	/** Files that the sentence names. */
	readonly paths: readonly string[];
	/** A subject that is left out, or a new state: whether it is the agent's is known by the order alone. */
	readonly isElliptic: boolean;
}

/** The end of a long answer is where it says what was done. */
const MAX_CLAIMING_CHARS = 8_000;

/** In the order of the answer. `isOfWork`: it answers an order, so a subject that is left out or shared is the agent. */
export function claimsIn(answer: string, { isOfWork } = { isOfWork: true }): Claim[] {
	const text = answer.slice(-MAX_CLAIMING_CHARS);
	if (!hasPlainWord(text, CLAIMING_WORDS) || (!isOfWork && !hasPlainWord(text, FIRST_PERSONS))) {
		return [];
	}
	const hasCode = mayHaveFence(text) && /^ {0,3}(?:```|~~~)/mu.test(text);
	// Lists below a heading are a document that the answer shows.
	const isDocument = text.trimStart().startsWith('#') && /^\s*#{1,4} /u.test(text);
	let isOfList = true;
	return splitAnswerSentences(text).flatMap(({ sentence, isItem, isTicked }): Claim[] => {
		// Items below "The recent commits:" are of those.
		isOfList = isTicked || (isItem ? isOfList : !sentence.endsWith(':') || OWN_LIST.test(sentence));
		if (sentence.endsWith('?') || beginsWithCommit(sentence)) {
			return [];
		}
		const read = readSentence(sentence);
		const isAbout = { hasCode, isOfWork: isOfWork && !isDocument };
		const own = ownClaims(read, isAbout);
		const elliptic = own.length > 0 || !isAbout.isOfWork || (isItem && !isOfList) ? [] : ellipticClaims(read);
		const passed = isAbout.isOfWork && saysTestsPass(read) ? (['test'] as const) : [];
		const isElliptic = own.length === 0;
		return [...new Set([...passed, ...own, ...elliptic])].map((kind) => ({
			kind,
			sentence,
			paths: read.paths,
			isElliptic,
		}));
	});
}

const FIRST_PERSONS = new Set(['i', 'we', 'ich', 'wir']);

/** Ids of commits are shown in lists of what others did. */
function beginsWithCommit(sentence: string): boolean {
	const [first = ''] = readPlainWords(sentence.slice(0, 60));
	return first.length >= 7 && first.length <= 40 && sentence.startsWith(first) && [...first].every(isHexDigit);
}

function isHexDigit(char: string): boolean {
	return isDigits(char) || (char >= 'a' && char <= 'f');
}

function isDigits(word: string): boolean {
	return word !== '' && [...word].every((char) => char >= '0' && char <= '9');
}

/** Line before a list of what the agent did. */
const OWN_LIST = /\b(?:I|ich)\b|^(?:done|fertig|erledigt|changes|summary|änderungen|zusammenfassung)\b/iu;

interface ReadSentence {
	/** In lower case; code is `§`, a sign at the end of a clause a word of its own. */
	readonly words: readonly string[];
	readonly paths: readonly string[];
	readonly hasCode: boolean;
	readonly isWork: boolean;
}

const CLAIMED_PATH =
	/(?:[\w@.-]+\/)+[\w.@-]*[\w@-]|\b[\w-]+\.(?:[cm]?[jt]sx?|json|md|py|rs|go|java|kt|rb|php|css|s[ac]ss|html?|ya?ml|toml|sh|sql|txt|xml|c|h|cc|cpp|hpp|cs|swift|vue|svelte|lock|ini|cfg|env)\b/gu;

function readSentence(sentence: string): ReadSentence {
	// Each path has a slash, or a full stop within the sentence.
	const mayHavePath = sentence.includes('/') || sentence.slice(0, -1).includes('.');
	const paths = mayHavePath ? [...sentence.matchAll(CLAIMED_PATH)].map(([path]) => path) : [];
	const withoutCode = sentence.includes('`') ? sentence.replaceAll(/`[^`]*`/gu, ' § ') : sentence;
	const plain = mayHavePath ? withoutCode.replaceAll(CLAIMED_PATH, ' § ') : withoutCode;
	const words =
		plain
			.toLowerCase()
			.replaceAll('’', "'")
			.match(/[\p{L}\d§_'-]+|[,;:.!()–—]/gu) ?? [];
	return {
		words,
		paths,
		hasCode: plain.includes('§'),
		isWork: words.some((word) => WORK_WORDS.has(word) || MEMORY_WORDS.has(word)),
	};
}

interface AboutAnswer {
	readonly hasCode: boolean;
	readonly isOfWork: boolean;
}

function ownClaims(read: ReadSentence, about: AboutAnswer): readonly ClaimKind[] {
	const { words } = read;
	const kinds = new Set<ClaimKind>();
	for (const [at, word] of words.entries()) {
		const isI = word === 'i' || word === "i've";
		const isWe = word === 'we' || word === "we've";
		if ((isI || (isWe && about.isOfWork)) && isPlainBefore(words, at)) {
			for (const { verb, at: place } of verbsAfter(words, at + 1)) {
				if (isOfWorkMeant(verb, read, place, about)) kinds.add(chooseClaimKind(verb, read));
			}
		}
		const isGerman = (word === 'ich' && words[at + 1] === 'habe') || (word === 'habe' && words[at + 1] === 'ich');
		const isShared = (word === 'wir' && words[at + 1] === 'haben') || (word === 'haben' && words[at + 1] === 'wir');
		if ((isGerman || (isShared && about.isOfWork)) && isPlainBefore(words, at)) {
			for (const { verb, at: place } of participlesAfter(words, at + 2)) {
				if (isOfWorkMeant(verb, read, place, about)) kinds.add(chooseClaimKind(verb, read));
			}
		}
	}
	return [...kinds];
}

/** True when no word in the same clause, before a colon or at the beginning of the sentence makes it a condition, a report or a "not". */
function isPlainBefore(words: readonly string[], at: number): boolean {
	const clause = Math.max(
		words.lastIndexOf(',', at - 1),
		words.lastIndexOf(';', at - 1),
		words.lastIndexOf(':', at - 1),
	);
	const before = words.slice(0, at);
	const isQuoted = before.slice(0, before.lastIndexOf(':') + 1).some((word) => QUOTING.has(word));
	return !words.slice(clause + 1, at).some(isNotPlain) && !isQuoted && !isConditional(words[0]);
}

/** Before a colon these make what follows the words of another, or an example. */
const QUOTING = new Set('says reads writes example instance steht sagt schreibt lautet beispiel'.split(' '));

function isNotPlain(word: string): boolean {
	return NOT_PLAIN.has(word) || word.endsWith("n't");
}

function isConditional(first = ''): boolean {
	return ['if', 'once', 'when', 'unless', 'should', 'wenn', 'falls', 'sobald'].includes(first);
}

interface FoundVerb {
	readonly verb: ClaimVerb;
	readonly at: number;
}

/** The verb of the subject, and those that are joined to it by "and" or a comma. */
function verbsAfter(words: readonly string[], from: number): readonly FoundVerb[] {
	let at = from;
	while (at < from + 4 && BETWEEN_SUBJECT_AND_VERB.has(words[at] ?? '')) at += 1;
	// "I have run it" is perfect, "I run" is a habit.
	const isPerfect = words.slice(from - 1, at).some((word) => word === 'have' || word.endsWith("'ve"));
	const first = isPerfect && words[at] === 'run' ? RUN : CLAIM_VERBS.get(words[at] ?? '');
	const found: FoundVerb[] = first === undefined ? [] : [{ verb: first, at }];
	if (first === undefined && !isPast(words[at] ?? '')) {
		return [];
	}
	for (let next = at + 1; next < words.length; next += 1) {
		const word = words[next] ?? '';
		if (SUBJECTS.has(word) || (isNotPlain(word) && word !== 'to')) break;
		const verb = CLAIM_VERBS.get(word);
		if (verb !== undefined && JOINS.has(words[next - 1] ?? '')) found.push({ verb, at: next });
	}
	return found;
}

const RUN: ClaimVerb = { kind: 'run', isPlain: false };
const JOINS = new Set(['and', ',', 'then', 'also']);
const SUBJECTS = new Set('i we you he she they it who ich wir du sie er es'.split(' '));

/** "I looked at the code, and fixed it": any other past tense leads on to what is joined to it. */
function isPast(word: string): boolean {
	return word.endsWith('ed') || ['found', 'read', 'took', 'went'].includes(word);
}

/** German participles stand at the end of their clause. */
function participlesAfter(words: readonly string[], from: number): readonly FoundVerb[] {
	const found: FoundVerb[] = [];
	for (let at = from; at < words.length; at += 1) {
		const word = words[at] ?? '';
		if (NOT_PLAIN.has(word) || word === 'ich' || word === 'wurde' || word === 'wurden') break;
		const verb = CLAIM_VERBS.get(word);
		const after = words[at + 1] ?? '.';
		if (verb !== undefined && !OF_OTHERS.has(after)) found.push({ verb, at });
	}
	return found;
}

/** The same verb means another thing of a memory, unless a file is named. */
function chooseClaimKind({ kind }: ClaimVerb, { words, paths }: ReadSentence): ClaimKind {
	const isOfMemory = paths.length === 0 && words.some((_, at) => isMemory(words, at));
	return (kind === 'edit' || kind === 'schedule') && isOfMemory ? 'remember' : kind;
}

/** A noun behind the word makes another thing of it, such as "the memory leak". */
function isMemory(words: readonly string[], at: number): boolean {
	const next = words[at + 1] ?? '.';
	return MEMORY_WORDS.has(words[at] ?? '') && (!/\p{L}|§/u.test(next) || ABOUT.has(next) || CLAIM_VERBS.has(next));
}

const ABOUT = new Set(['that', 'about', 'dass', 'über']);

const OPENING_VERBS = new Set(['opened', 'closed', 'geöffnet', 'geschlossen']);
const NO_OBJECTS = new Set(['no', 'nothing', 'none', 'nichts']);
/** "I changed my mind", "I moved on": no work without a file. */
const OTHER_OBJECTS = new Set(
	'my your myself on up into out back at here there after before because when since with'.split(' '),
);

function isOfWorkMeant(verb: ClaimVerb, read: ReadSentence, at: number, { hasCode }: AboutAnswer): boolean {
	const next = read.words[at + 1] ?? '';
	if (OPENING_VERBS.has(read.words[at] ?? '')) {
		return read.words.some((word) => OPENED_THINGS.has(word));
	}
	if (NO_OBJECTS.has(next) || (verb.kind === 'start' && next === 'with')) {
		return false;
	}
	if (OTHER_OBJECTS.has(next) && read.paths.length === 0) {
		return next === 'your' && (read.isWork || read.hasCode);
	}
	// Code that is shown was written into the answer; only a file that is named was claimed to be changed.
	if (verb.kind === 'edit' && hasCode && read.paths.length === 0) {
		return false;
	}
	return verb.isPlain || read.hasCode || read.isWork;
}

/** A sentence that begins with what was done, or says that something is so from now on. */
function ellipticClaims(read: ReadSentence): readonly ClaimKind[] {
	const { words } = read;
	const start = words.findIndex((word) => !OPENERS.has(word));
	const first = words[start] ?? '';
	const begun = CLAIM_VERBS.get(first);
	if (words.some(isNegation) || isConditional(first)) {
		return [];
	}
	if (first === '' || first === '.' || first === '!') {
		return words.some((word) => DONE_WORDS.has(word)) ? ['effect'] : [];
	}
	const rest = words.slice(start + 1);
	if (begun !== undefined && !OF_OTHERS.has(rest[0] ?? '') && !BY_OTHERS.has(rest[0] ?? '')) {
		const isBare = rest.every((word) => OPENERS.has(word));
		const joined = rest.flatMap((word, at) => {
			const verb = CLAIM_VERBS.get(word);
			return verb !== undefined && JOINS.has(rest[at - 1] ?? '') ? [verb] : [];
		});
		const isMeant = isBare || begun.isPlain || read.hasCode || read.isWork;
		return isMeant ? [begun, ...joined].map((verb) => chooseClaimKind(verb, read)) : [];
	}
	if (words.slice(0, 6).some((word) => NOT_PLAIN.has(word))) {
		return [];
	}
	return stateClaims(read, words.slice(start));
}

function isNegation(word: string): boolean {
	return word.endsWith("n't") || NEGATIONS.has(word);
}

const NEGATIONS = new Set('not never nothing none nicht nichts nie kein keine keinen'.split(' '));
/** Alone they say that the order was carried out. */
const DONE_WORDS = new Set('done fertig erledigt geschafft finished'.split(' '));

const OPENERS = new Set([
	...DONE_WORDS,
	...'all great ok okay good perfect success successfully now just alles jetzt nun so . ! : , – — and set'.split(' '),
]);
const BY_OTHERS = new Set(['by', 'in', 'since', 'von', 'im', 'seit', 'when', 'wenn', 'on']);

function stateClaims({ words: all, hasCode, isWork }: ReadSentence, words: readonly string[]): readonly ClaimKind[] {
	const be = words.findIndex((word) => ['is', 'are', 'ist', 'sind', 'läuft', 'laufen'].includes(word));
	const now = words.findIndex((word) => ['now', 'jetzt', 'nun'].includes(word));
	const isThing = [
		'the',
		'your',
		'a',
		'§',
		'it',
		'everything',
		'all',
		'der',
		'die',
		'das',
		'dein',
		'deine',
		'ihre',
		'ihr',
		'alles',
		'es',
	].includes(words[0] ?? '');
	if (be > 0 && be < 8 && now !== -1 && now <= be + 3 && isThing && (isWork || hasCode)) {
		const tail = words.slice(Math.min(be, now));
		if (tail.some((word) => RUNNING_WORDS.has(word))) {
			return all.some((word) =>
				['server', 'service', 'container', 'app', 'dienst', 'process', 'api', 'worker', 'database'].includes(word),
			)
				? ['start']
				: [];
		}
		const verb = tail.map((word) => CLAIM_VERBS.get(word)).find((each) => each !== undefined);
		return verb === undefined || tail.includes('by') || tail.includes('von') ? [] : [verb.kind];
	}
	// "Message sent!", "Datei angelegt.", "Tests ausgeführt."
	const last = words.findLast((word) => !SENTENCE_MARKS.has(word) && word !== ')') ?? '';
	const verb = CLAIM_VERBS.get(last);
	const isShort =
		words.length <= 6 &&
		be === -1 &&
		!words.some(
			(word) => OF_OTHERS.has(word) || SUBJECTS.has(word) || word === 'was' || word === 'were' || word === 'been',
		);
	return verb !== undefined && isShort && (isWork || hasCode) ? [verb.kind] : [];
}

/** All tests, or a number of them, pass. */
function saysTestsPass({ words }: ReadSentence): boolean {
	const at = words.findIndex((word) => word === 'tests' || word === 'specs');
	const isFailure = (word: string, place: number) => FAILURES.has(word) && words[place - 1] !== '0';
	if (words.some((word, place) => isNotPlain(word) || isFailure(word, place))) {
		return false;
	}
	// "All green.", "18 passed in 2 s": of what, the turn shows.
	const first = words.findIndex((word) => !BEGINNINGS.has(word));
	const last = words.findLastIndex((word) => !SENTENCE_MARKS.has(word));
	const isShort = last <= first + 3 && ALL_OF_THEM.has(words[first] ?? '') && PASSES.has(words[last] ?? '');
	const isCount =
		isDigits(words[first] ?? '') &&
		PASSES.has(words[first + 1] ?? '') &&
		(last === first + 1 || BEHIND_COUNT.has(words[first + 2] ?? '') || isDigits(words[first + 2] ?? ''));
	if (isShort || isCount) {
		return true;
	}
	if (at === -1) {
		return false;
	}
	if (words.some((word, place) => place > at && PASSES.has(word) && ALL_OF_THEM.has(findSubject(words, place)))) {
		return true;
	}
	const before = words.slice(Math.max(0, at - 4), at);
	const after = words.slice(at + 1, at + 7);
	const isCounted = before.some((word) => COUNTING_WORDS.has(word) || isDigits(word)) || after[0] === ':' || at === 0;
	return isCounted && after.some((word) => PASSES.has(word));
}

const BEGINNINGS = new Set('.:–—');
const SENTENCE_MARKS = new Set('.!');
const BEHIND_COUNT = new Set([...',(.;', 'in']);
const COUNTING_WORDS = new Set(['all', 'both', 'the', 'alle', 'die', 'beide']);

const FAILURES = new Set(
	'fail fails failing failed broken red fehl fehlgeschlagen fehlschlagen scheitern rot'.split(' '),
);
const PASSES = new Set('pass passes passed passing green succeed succeeded grün bestehen bestanden durch'.split(' '));
/** Subjects that mean the tests of the same sentence. */
const ALL_OF_THEM = new Set('all both they everything alle beide sie alles'.split(' '));

const RUNNING_WORDS = new Set(['running', 'live', 'up', 'läuft', 'laufen', 'started', 'gestartet']);

/** Words of which each claim has one, those with a hyphen in two parts: an answer without them needs no further look. */
const CLAIMING_WORDS = new Set(
	[...CLAIM_VERBS.keys(), 'run', ...DONE_WORDS, ...PASSES, ...RUNNING_WORDS].flatMap((word) => word.split('-')),
);

/** Returns the first word of the clause, which has at most a number or an adverb between it and its verb. */
function findSubject(words: readonly string[], verbAt: number): string {
	const start = words.findLastIndex((word, at) => at < verbAt && CLAUSE_ENDS.has(word)) + 1;
	return verbAt - start <= 4 ? (words[start] ?? '') : '';
}

const CLAUSE_ENDS = new Set([...',;:–—', 'and', 'und']);
