/** An order with at least three steps that build on each other, or with work that is large by its nature. */
import { toWordSet } from '../turn/plain-words.ts';
import { beginsWith, hasAnyWord, type MessageWord, readMessageWords, withoutPoliteWords } from './message-words.ts';
import { CHANGING_VERBS, DESCRIBING_WORDS, LOOKING_VERBS, SUBJECT_PRONOUNS } from './order-words.ts';

/** Two steps are done as well in one answer. */
export const LEAST_STEPS = 3;

const STEP_VERBS = toWordSet(
	'add extract analyze migrate port rewrite split move rename wire measure propose implement fix adapt regenerate change introduce convert enable install configure set get try fill replace refactor apply merge release tag deploy document design make do use drop introduce benchmark profile bump upgrade commit push restart reproduce bisect switch write hook connect put',
);
const LARGE_VERBS = toWordSet(
	'migrate port rewrite convert redesign modernize modernise rearchitect re-architect translate replace refactor migriere portiere schreibe schreib modernisiere überarbeite stelle ersetze übersetze',
);
const BUILDING_VERBS = toWordSet(
	'build create write develop implement make add design introduce set mach mache baue bau erstelle entwickle implementiere schreibe schreib füge richte setze',
);
const WHOLE = toWordSet('whole entire complete ganze ganzen gesamte gesamten komplette kompletten ganzes');
const SYSTEMS = toWordSet(
	'app application project codebase base repo repository system backend frontend service module api client site website area suite library package server anwendung projekt codebasis dienst modul oberfläche bibliothek',
);
/** Words between two steps. */
const NEXT = toWordSet(
	'then afterwards finally lastly next dann danach anschließend schließlich abschließend zuletzt second third drittens zweitens',
);
const FIRST = toWordSet('first zuerst zunächst erst firstly');
const TEST_WORDS = toWordSet('tests test docs documentation doku dokumentation ci');
const PARTS_BEGIN = toWordSet('including with samt mit einschließlich inklusive');

export function isStepwiseOrder(text: string, words: readonly MessageWord[]): boolean {
	return (
		isListOfOrders(text) || (!hasAnyWord(words, DESCRIBING_WORDS) && (isOrderOfSteps(words) || isLargeOrder(words)))
	);
}

/** Steps in a list, each an order; with a line above that says what it is about, and nothing below. */
function isListOfOrders(text: string): boolean {
	const lines = splitInlineItems(text)
		.split('\n')
		.filter((line) => line.trim() !== '');
	const begin = lines.findIndex((line) => readListItem(line) !== undefined);
	const items = begin === -1 ? [] : lines.slice(begin).map(readListItem);
	const head = lines[begin - 1]?.trim() ?? '';
	const isHeaded = begin === 0 || (begin === 1 && isOrder(withoutPoliteWords(readMessageWords(head))));
	return (
		isHeaded &&
		items.length >= LEAST_STEPS &&
		items.every((item) => item !== undefined && isOrder(readMessageWords(item)))
	);
}

/** "1. Add the column 2. Fill it 3. Drop the old one": numbers from 1 on in one line make a list, too. */
function splitInlineItems(text: string): string {
	if (text.includes('\n') || !text.includes('1. ') || !text.includes(' 2. ')) {
		return text;
	}
	let next = 1;
	return text
		.split(' ')
		.map((word) => (word === `${next}.` ? `\n${next++}.` : word))
		.join(' ');
}

function readListItem(line: string): string | undefined {
	const trimmed = line.trim();
	const [mark = ''] = trimmed.split(' ', 1);
	const isMark = mark === '-' || mark === '*' || mark === '•';
	const isNumber = mark.length <= 3 && (mark.endsWith('.') || mark.endsWith(')')) && Number(mark.slice(0, -1)) > 0;
	return isMark || isNumber ? trimmed.slice(mark.length).trim() : undefined;
}

function isOrder(words: readonly MessageWord[]): boolean {
	const first = words[0]?.word ?? '';
	return (
		words.length >= 2 && !SUBJECT_PRONOUNS.has(first) && (isStepVerb(first) || isInfinitive(words.at(-1)?.word ?? ''))
	);
}

function isStepVerb(word: string): boolean {
	return (
		STEP_VERBS.has(word) ||
		LARGE_VERBS.has(word) ||
		BUILDING_VERBS.has(word) ||
		LOOKING_VERBS.has(word) ||
		CHANGING_VERBS.has(word)
	);
}

function isInfinitive(word: string): boolean {
	return word.length > 4 && (word.endsWith('en') || word.endsWith('ern') || word.endsWith('eln'));
}

/** "First add a column, then fill it, and finally write the tests." */
function isOrderOfSteps(words: readonly MessageWord[]): boolean {
	const steps: MessageWord[][] = [[]];
	for (const [at, each] of words.entries()) {
		const isAfterThat = beginsWith(words, ['after', 'that'], at) || beginsWith(words, ['zum', 'schluss'], at);
		if (NEXT.has(each.word) || isAfterThat) {
			steps.push([]);
		} else {
			steps.at(-1)?.push(each);
		}
	}
	const orders = steps.map(withoutJoints).filter((step) => step.length > 0);
	return (
		orders.length >= LEAST_STEPS &&
		steps.length === orders.length &&
		orders.every(isOrderedStep) &&
		(orders[0]?.length ?? 0) >= 2
	);
}

const JOINTS = toWordSet('and und that schluss i');

/** Without what only joins it to the other steps, and without what was said before "first". */
function withoutJoints(step: readonly MessageWord[]): readonly MessageWord[] {
	const colon = step.findIndex(({ isPauseBehind }, at) => isPauseBehind && FIRST.has(step[at + 1]?.word ?? ''));
	const own = colon === -1 ? step : step.slice(colon + 1);
	const begin = own.findIndex(({ word }) => !JOINTS.has(word) && !FIRST.has(word));
	const end = own.findLastIndex(({ word }) => !JOINTS.has(word));
	return begin === -1 ? [] : own.slice(begin, end + 1);
}

function isOrderedStep(words: readonly MessageWord[]): boolean {
	const first = words[0]?.word ?? '';
	const end = words.at(-1)?.word ?? '';
	// "…, dann füllen und …": a step may leave out what it is done to, where the first one names it.
	return (words.length >= 2 && isStepVerb(first)) || (isInfinitive(end) && !hasFiniteVerb(words));
}

const FINITE = toWordSet('ist sind war hat haben kann können wird werden ich wir es man');

function hasFiniteVerb(words: readonly MessageWord[]): boolean {
	return hasAnyWord(words, FINITE);
}

function isLargeOrder(words: readonly MessageWord[]): boolean {
	const first = words[0]?.word ?? '';
	const at = words.findIndex(({ word }) => WHOLE.has(word));
	const isSystem = words.slice(at + 1, at + 4).some(({ word }) => SYSTEMS.has(word) || word.endsWith('anwendung'));
	if (LARGE_VERBS.has(first) && at > 0 && at <= 3 && isSystem) {
		return true;
	}
	if (!BUILDING_VERBS.has(first) && !LARGE_VERBS.has(first)) {
		return false;
	}
	const isFromScratch = words.some(
		({ word }, index) =>
			word === 'end-to-end' ||
			beginsWith(words, ['from', 'scratch'], index) ||
			beginsWith(words, ['von', 'grund', 'auf'], index),
	);
	return isFromScratch || hasNamedParts(words);
}

/** "including API, UI, tests and docs": parts of a matter, the tests or the documents among them. */
function hasNamedParts(words: readonly MessageWord[]): boolean {
	const at = words.findIndex(({ word, isPauseBehind }, index) => PARTS_BEGIN.has(word) || (index > 1 && isPauseBehind));
	if (at === -1) {
		return false;
	}
	const parts = words.slice(at + 1);
	const joints = parts.filter(({ word, isPauseBehind }) => isPauseBehind || word === 'and' || word === 'und').length;
	return joints >= LEAST_STEPS - 1 && hasAnyWord(parts, TEST_WORDS) && parts.length <= MOST_WORDS_OF_PARTS;
}

const MOST_WORDS_OF_PARTS = 14;
