/**
 * Finds claims of effects in an answer: that files were changed, commands or tests run, work committed, sent or installed.
 * English and German. Only plain statements of the agent about itself count: a first person, or, in the answer to an order, a
 * subject that is left out ("Fixed `a.ts`.") and a new state ("The server is now running."). A passive, a third person, a
 * wish, a plan, a condition, a question, a quotation and a "not" are no claim. A missed claim does little harm; a false alarm
 * does much. Sentences are read word by word, so that few patterns are compiled.
 */
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

/** The end of a long answer is where it says what was done; no sentence of a claim is longer. */
const MAX_CLAIMING_CHARS = 8_000;
const MAX_SENTENCE = 500;

/** In the order of the answer. `isOfWork`: it answers an order, so a subject that is left out or shared is the agent. */
export function claimsIn(answer: string, { isOfWork } = { isOfWork: true }): Claim[] {
	const text = answer.slice(-MAX_CLAIMING_CHARS);
	if (!/\b(?:I|we|ich|wir)\b/iu.test(text) && !isOfWork) {
		return [];
	}
	const hasCode = /^ {0,3}(?:```|~~~)/mu.test(text);
	// Lists below a heading are a document that the answer shows.
	const isDocument = /^\s*#{1,4} /u.test(text);
	let isOfList = true;
	return splitAnswerSentences(text).flatMap(({ sentence, isItem, isTicked }): Claim[] => {
		// Items below "The recent commits:" are of those.
		isOfList = isTicked || (isItem ? isOfList : !sentence.endsWith(':') || OWN_LIST.test(sentence));
		if (sentence.endsWith('?') || /^[0-9a-f]{7,40}\b/u.test(sentence)) {
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
	const paths = [...sentence.matchAll(CLAIMED_PATH)].map(([path]) => path);
	const plain = sentence.replaceAll(/`[^`]*`/gu, ' § ').replaceAll(CLAIMED_PATH, ' § ');
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

/** True when no word in the same clause, or at the beginning of the sentence, makes it a condition, a report or a "not". */
function isPlainBefore(words: readonly string[], at: number): boolean {
	const clause = Math.max(
		words.lastIndexOf(',', at - 1),
		words.lastIndexOf(';', at - 1),
		words.lastIndexOf(':', at - 1),
	);
	return !words.slice(clause + 1, at).some(isNotPlain) && !isConditional(words[0]);
}

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
	const isLast = !/\p{L}|§/u.test(next) || ABOUT.has(next) || CLAIM_VERBS.has(next);
	return MEMORY_WORDS.has(words[at] ?? '') && isLast;
}

const ABOUT = new Set(['that', 'about', 'dass', 'über']);

const NO_OBJECTS = new Set(['no', 'nothing', 'none', 'nichts']);
/** "I changed my mind", "I moved on": no work without a file. */
const OTHER_OBJECTS = new Set(
	'my your myself on up into out back at here there after before because when since with'.split(' '),
);

function isOfWorkMeant(verb: ClaimVerb, read: ReadSentence, at: number, { hasCode }: AboutAnswer): boolean {
	const next = read.words[at + 1] ?? '';
	if (/^(?:opened|closed|geöffnet|geschlossen)$/u.test(read.words[at] ?? '')) {
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
	if (first === '' || /^[.!]$/u.test(first)) {
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
		if (tail.some((word) => ['running', 'live', 'up', 'läuft', 'laufen', 'started', 'gestartet'].includes(word))) {
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
	const last = words.findLast((word) => !/^[.!)]$/u.test(word)) ?? '';
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
	const first = words.findIndex((word) => !/^[.:–—]$/u.test(word));
	const last = words.findLastIndex((word) => !/^[.!]$/u.test(word));
	const isShort = last <= first + 3 && ALL_OF_THEM.has(words[first] ?? '') && PASSES.has(words[last] ?? '');
	const isCount =
		/^\d+$/u.test(words[first] ?? '') &&
		PASSES.has(words[first + 1] ?? '') &&
		(last === first + 1 || /^(?:[,(.;]|in|\d+)$/u.test(words[first + 2] ?? ''));
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
	const isCounted =
		before.some((word) => /^(?:all|both|the|alle|die|beide|\d+)$/u.test(word)) || after[0] === ':' || at === 0;
	return isCounted && after.some((word) => PASSES.has(word));
}

const FAILURES = new Set(
	'fail fails failing failed broken red fehl fehlgeschlagen fehlschlagen scheitern rot'.split(' '),
);
const PASSES = new Set('pass passes passed passing green succeed succeeded grün bestehen bestanden durch'.split(' '));
/** Subjects that mean the tests of the same sentence. */
const ALL_OF_THEM = new Set('all both they everything alle beide sie alles'.split(' '));

/** Returns the first word of the clause, which has at most a number or an adverb between it and its verb. */
function findSubject(words: readonly string[], verbAt: number): string {
	const start = words.findLastIndex((word, at) => at < verbAt && /^(?:[,;:–—]|and|und)$/u.test(word)) + 1;
	return verbAt - start <= 4 ? (words[start] ?? '') : '';
}

/** Without code that is shown, quotations and headings. */
function splitAnswerSentences(
	text: string,
): { readonly sentence: string; readonly isItem: boolean; readonly isTicked: boolean }[] {
	return text
		.replaceAll(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gmu, '\n')
		.replaceAll(/^\s*(?:>|#|\|).*$/gmu, '\n')
		.replaceAll(/["“„][^"“”„\n]*["”“]/gu, '""')
		.split(/(?<=[.!?])\s+|\n+/u)
		.map((line) => {
			const sentence = line
				.replace(/^\s*(?:[-*•✅✓☑✔🎉]\s*)*(?:\[x\]\s*|\d+[.)]\s*)?/iu, '')
				.replaceAll('**', '')
				.trim();
			// Items that are ticked off are done, whatever stands above the list.
			const isTicked = /^\s*(?:[-*•]\s*)?(?:\[x\]|[✅✓☑✔])/iu.test(line);
			return { sentence, isTicked, isItem: /^\s*(?:[-*•]\s|\d+[.)]\s)/u.test(line) };
		})
		.filter(({ sentence }) => sentence !== '' && sentence.length <= MAX_SENTENCE);
}
