/**
 * Finds tokens by their form. A single pass over the text finds marks and names; only where one stands, a bounded
 * stretch is examined closer, so a text made to be slow is not.
 */
import { computeEntropy, isFilled } from './entropy.ts';
import type { SecretFinding } from '../findings.ts';
import { MARKED_FORMS, NAMED_FORMS } from './token-forms.ts';
import { MAX_BEFORE_MARK } from '../limits.ts';
import type { Vocabulary } from './word-pass.ts';

/** Where the token of a mark or name lies that ends at `end`; undefined when none does. */
type TokenLook = (text: string, end: number) => TokenPlace | undefined;

interface TokenPlace {
	readonly start: number;
	readonly end: number;
	/** Has the form, and is more than an example or a row of the same letter. */
	readonly isSecret: boolean;
}

interface TokenForm {
	readonly family: string;
	readonly look: TokenLook;
	/** Row of the table; its marks and names share it. */
	readonly row: readonly string[];
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Between a name and the value: the rest of the name, a sign that assigns, a quote. */
const ASSIGNED = String.raw`[ \t\w.-]{0,32}["'\]\s]{0,4}(?:=>|:{1,3}=|[=:>,]|\?=|\|\|)[\s"'\u0060=]{0,5}`;
/** Behind a value. */
const ENDED = String.raw`(?=["'\u0060\s;,)\]}<&]|\\|$)`;

/** True by character code when the first part of `ASSIGNED` matches the character. */
const goesOnWithName = Array.from({ length: 128 }, (_, code) => /[ \t\w.-]/.test(String.fromCharCode(code)));
/** Most of these characters that `ASSIGNED` matches before a sign. */
const MAX_TO_SIGN = 36;

export const tokenVocabularies = (): readonly Vocabulary[] => [
	createTokenVocabulary(MARKED_FORMS, markedLook, false, () => () => true),
	createTokenVocabulary(NAMED_FORMS, namedLook, true, assignmentGlance),
];

/** True when the row's form has no limit for the number of its last characters. */
function isEndless([, , rest = '']: readonly string[]): boolean {
	return /,\}(?:=\{0,\d\})?$/.test(rest);
}

/** `lookFor` makes the look for one row of the table; `glance`, for one text: whether a look at a place is worth its time. */
function createTokenVocabulary(
	table: string,
	lookFor: (row: readonly string[]) => (word: string) => TokenLook,
	ignoresCase: boolean,
	glance: (text: string) => (end: number) => boolean,
): Vocabulary {
	const byWord = new Map<string, TokenForm[]>();
	for (const row of parseFormRows(table)) {
		const [family = '', words = '', ...form] = row;
		const look = lookFor(form);
		for (const word of words.split(' ')) {
			byWord.set(word, [...(byWord.get(word) ?? []), { family, look: look(word), row }]);
		}
	}
	const forms = [...byWord.values()];
	return {
		words: [...byWord.keys()],
		ignoresCase,
		begin: (text, { secrets }) => {
			const found: SecretFinding[] = [];
			const isWorthLooking = glance(text);
			/**
			 * End of the last token by row: a further token without a length limit that begins before it ends there too,
			 * so it is skipped.
			 */
			const reached = new Map<readonly string[], number>();
			return {
				tell(word, end) {
					if (!isWorthLooking(end)) return;
					for (const { family, look, row } of forms[word] ?? []) {
						const place = end < (reached.get(row) ?? 0) ? undefined : look(text, end);
						if (place !== undefined && isEndless(row)) {
							reached.set(row, place.end);
						}
						if (place?.isSecret === true) {
							found.push({ start: place.start, end: place.end, family });
						}
					}
				},
				finish() {
					for (const finding of found) secrets.push(finding);
				},
			};
		},
	};
}

function parseFormRows(table: string): string[][] {
	return table
		.trim()
		.split('\n')
		.map((line) => line.split(/ {2,}/));
}

function markedLook([rest = '', leastEntropy = '0', before = '']: readonly string[]): (mark: string) => TokenLook {
	const follows = createLazily(() => new RegExp(`${rest}(?![A-Za-z0-9])`, 'y'));
	const precedes = createLazily(() => new RegExp(`(?:(?<![\\w.-])|(?<=\\\\[nrt]))${before}$`));
	const begins = createLazily(() => createBeginningTest(rest));
	return (mark) => (text, end) => {
		const markStart = end - mark.length;
		// Whatever stands before a mark ends in a letter or a digit.
		if (before === '' ? isWithinWord(text, markStart) : !isWordCharacter(text.charAt(markStart - 1))) {
			return undefined;
		}
		const pattern = follows();
		pattern.lastIndex = end;
		if (!begins()(text, end) || !pattern.test(text)) {
			return undefined;
		}
		// A label stays.
		let start = mark.endsWith('=') ? end : markStart;
		if (before !== '') {
			const prefix = precedes().exec(text.slice(Math.max(0, markStart - MAX_BEFORE_MARK), markStart))?.[0];
			if (prefix === undefined) {
				return undefined;
			}
			start -= prefix.length;
		}
		const token = text.slice(start, pattern.lastIndex);
		const isRandom = leastEntropy === '0' || computeEntropy(token) >= Number(leastEntropy);
		const isSecret = isRandom && !token.endsWith('EXAMPLE') && !isFilled(token);
		return { start, end: pattern.lastIndex, isSecret };
	};
}

/** A cheaper first glance at what a pattern matches: its first characters, if it says how many of which kind. */
function createBeginningTest(rest: string): (text: string, at: number) => boolean {
	const [, kind, least = '0'] = /^(\[(?:\\.|[^\]\\])+\])\{(\d+)/.exec(rest) ?? [];
	if (kind === undefined) {
		return () => true;
	}
	const one = new RegExp(kind);
	const isOne = Array.from({ length: 128 }, (_, code) => one.test(String.fromCharCode(code)));
	return (text, at) => {
		const end = at + Math.min(Number(least), GLANCE_CHARS);
		for (let next = at; next < end; next += 1) {
			if (isOne[text.charCodeAt(next)] !== true) {
				return false;
			}
		}
		return true;
	};
}

const GLANCE_CHARS = 12;

function namedLook([values = '']: readonly string[]): () => TokenLook {
	const value = values
		.split(' ')
		.map((each) => (each === 'U' ? UUID : each))
		.join('|');
	const assigned = createLazily(() => new RegExp(`${ASSIGNED}(${value})${ENDED}`, 'iy'));
	return () => (text, end) => {
		const pattern = assigned();
		pattern.lastIndex = end;
		const token = pattern.exec(text)?.[1];
		if (token === undefined) {
			return undefined;
		}
		const isSecret = /\d/.test(token) && computeEntropy(token) >= LEAST_NAMED_ENTROPY && !isFilled(token);
		return { start: pattern.lastIndex - token.length, end: pattern.lastIndex, isSecret };
	};
}

/**
 * Returns a test that is true when something that assigns can stand behind a name. Names in a row share the end of the
 * text that may follow a name, so each character is examined once.
 */
function assignmentGlance(text: string): (end: number) => boolean {
	let runEnd = 0;
	return (end) => {
		runEnd = Math.max(runEnd, end);
		while (goesOnWithName[text.charCodeAt(runEnd)] === true) {
			runEnd += 1;
		}
		return runEnd - end <= MAX_TO_SIGN && mayAssign(text, runEnd);
	};
}

/** A blank that is none of ASCII counts as well. */
function mayAssign(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code >= 128 || '"\']\n\r\v\f=:>,?|'.includes(text.charAt(at));
}

/** A word goes on over `at`; not after `\n` and its kin, which end one in the source of a text. */
function isWithinWord(text: string, at: number): boolean {
	const before = text.charAt(at - 1);
	return isWordCharacter(before) && !(text.charAt(at - 2) === '\\' && 'nrt'.includes(before));
}

function isWordCharacter(character: string): boolean {
	return (
		(character >= 'a' && character <= 'z') ||
		(character >= 'A' && character <= 'Z') ||
		(character >= '0' && character <= '9') ||
		character === '_' ||
		character === '-'
	);
}

/** A row of one character says nothing. */
const LEAST_NAMED_ENTROPY = 2;

/** Most forms are never looked at: a pattern is compiled when its first mark is found. */
function createLazily<T>(create: () => T): () => T {
	let created: T | undefined;
	return () => (created ??= create());
}
