/**
 * Conditions of watches: schedules whose time is a condition. They are read from plain words, in English and German,
 * alone or off a longer text: "when `gh run list` says "success"", "sobald src/api sich ändert". Pure.
 */

import { joinTexts, type Text, text } from '../text/text.ts';

/** Result that a poll is to find. `changes`: anything else than the first poll, or the last one that held. */
export type WatchExpectation = 'succeeds' | 'fails' | 'changes' | { readonly says: string } | { readonly code: number };

export interface WatchCondition {
	readonly kind: 'command' | 'files' | 'address' | 'ref';
	/** The command line, the path or glob, the address, the branch or other name of a ref. */
	readonly what: string;
	readonly expects: WatchExpectation;
	/** Name or address of the remote that is asked for the ref; absent: the repository of the workspace itself. */
	readonly remote?: string;
}

interface ReadCondition {
	readonly condition: WatchCondition;
	/** True for "whenever": it may hold more than once. */
	readonly isRepeated: boolean;
}

const WHENEVER_WORDS = '(?:whenever|each time|every time|immer wenn|jedes mal,? wenn)';
const WHEN_WORDS = '(?:as soon as|when|once|sobald|wenn)';
const QUOTED = '`([^`\\n]{1,2000})`|"([^"\\n]{1,2000})"|“([^”\\n]{1,2000})”|„([^“\\n]{1,2000})“';
const REF_NAME = '[\\p{L}\\p{N}_][\\p{L}\\p{N}_./-]{0,200}';
const URL_WORD = 'https?://[^\\s`"“”]{1,2000}?';
const PATH_WORD = '[^\\s`"“”„:(),;]{0,1000}[./*][^\\s`"“”„:(),;]{0,1000}';
const REF_SUBJECT = `(?:(?:the |der |den |dem )?(?:(?:remote )?branch|ref|tag|zweig) )(?:\`(${REF_NAME})\`|(${REF_NAME}))(?: (?:on|of|auf|von) (?:\`(${URL_WORD}|${REF_NAME})\`|(${URL_WORD}|${REF_NAME})))?`;
const OUTPUT_OF = '(?:the output of|die ausgabe von) ';
const CHANGED_WORDS =
	'(?:changes?|is changed|are changed|(?:sich )?ändert|(?:sich )?ändern|geändert wird|geändert werden)';
const MOVE_WORDS =
	'(?:moves?|changes?|is updated|(?:has|gets) (?:a )?new commits?|(?:sich )?bewegt|sich ändert|(?:einen )?neuen? commits? (?:hat|bekommt))';

const SUCCESS_WORDS =
	'(?:succeeds?|passes|works|is green|is up|is reachable|is there|answers|responds|erfolgreich ist|erfolgreich läuft|gelingt|klappt|grün ist|erreichbar ist|antwortet|da ist)';
const FAILURE_WORDS =
	'(?:fails?|breaks?|is red|is down|is unreachable|fehlschlägt|scheitert|rot ist|nicht erreichbar ist|ausfällt)';
const CODE_WORDS =
	'(?:(?:exits|ends) with(?: code)? (\\d{1,3})|(?:answers|returns|responds)(?: with)? (\\d{3})|mit (\\d{1,3}) (?:endet|antwortet))';
const TEXT_WORDS = `(?:(?:says?|prints?|contains?|shows?|answers) (?:${QUOTED})|(?:${QUOTED}) (?:sagt|ausgibt|enthält|meldet|zeigt))`;

/** Words before a condition that is only to be told. */
const TELL_BEGINNING =
	/^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)?(?:tell me|let me know|notify me|alert me|ping me|sag(?:e)? mir(?: bescheid)?|gib mir bescheid|benachrichtige? mich|melde? dich|informiere? mich),?\s+/iu;
const POLITE_BEGINNING = /^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)+/iu;
const KEEP_AN_EYE =
	/^(?:keep an eye on|watch(?: over)?|monitor|überwache?|beobachte?|behalte?) (.{1,2000}?)(?: im (?:auge|blick))?[.!]?$/iu;
/** Begins a statement about how things are, and no order. */
const STATEMENT_BEGINNING =
	/^(?:it|the|we|you|i|this|that|they|he|she|there|users?|should|is|are|es|das|die|der|den|wir|man|ich|du|sie|er|soll|wird|ist|sind|muss|dann (?:soll|ist|wird|kann))(?!\p{L})/iu;

const NAMED_SUBJECTS = [
	// A ref is named as one, or by its remote: `origin/main moves`.
	[`${REF_SUBJECT} (?:${MOVE_WORDS})`, readRefCondition],
	[
		`(?:\`(${REF_NAME})\`|(${REF_NAME})) (?:moves|sich bewegt|has new commits|gets new commits|neue commits hat)`,
		readRefCondition,
	],
	[`(?:\`(${URL_WORD})\`|(${URL_WORD})) ${outcomeWords()}`, readAddress],
	[`${OUTPUT_OF}(?:${QUOTED}) ${CHANGED_WORDS}`, readOutput],
	[
		`(?:(?:the )?(?:file|folder|die datei|der ordner) )?(?:${QUOTED}|(${PATH_WORD})) ${CHANGED_WORDS}`,
		readFilesCondition,
	],
	[`(?:(?:the )?(?:command|der befehl) )?(?:${QUOTED}) ${outcomeWords()}`, readCommand],
] as const;
type Reader = (groups: readonly (string | undefined)[]) => WatchCondition | undefined;
const CONDITION_READERS: readonly (readonly [string, Reader])[] = NAMED_SUBJECTS;
/** In German, "sich" may stand before the subject: "wenn sich src/api ändert". */
const LEAD_WORDS = `(?:(${WHENEVER_WORDS})|${WHEN_WORDS}) (?:sich )?`;
const WHOLE_CONDITIONS = CONDITION_READERS.map(
	([words, read]) => [new RegExp(`^${LEAD_WORDS}${words}$`, 'iu'), read] as const,
);
const LEADING_CONDITIONS = CONDITION_READERS.map(
	([words, read]) =>
		[new RegExp(`^(${LEAD_WORDS}${words})(?:,| then| dann|:)\\s+(\\S[\\s\\S]*)$`, 'iu'), read] as const,
);
const TRAILING_CONDITIONS = CONDITION_READERS.map(
	([words, read]) => [new RegExp(`^([\\s\\S]*?\\S),? (${LEAD_WORDS}${words})$`, 'iu'), read] as const,
);

/** Undefined: the words name no condition. */
export function readCondition(words: string): ReadCondition | undefined {
	const plain = words.trim().replace(/[.!]$/, '');
	for (const [pattern, read] of WHOLE_CONDITIONS) {
		const found = pattern.exec(plain);
		const condition = found === null ? undefined : read(found.slice(2));
		if (condition !== undefined) {
			return { condition, isRepeated: found?.[1] !== undefined };
		}
	}
	return undefined;
}

/** True for words that begin as a condition does, and of which the rest may be wrong. */
export function beginsAsCondition(words: string): boolean {
	return new RegExp(`^${LEAD_WORDS}`, 'iu').test(words.trim());
}

interface SplitCondition {
	/** The condition as `readCondition` reads it. */
	readonly words: string;
	/** Prompt for when it holds; empty: the user is to be told. */
	readonly rest: string;
}

const LEAD_SIGNS = 'when;once;as soon as;each time;every time;sobald;wenn;jedes mal'.split(';');
const WATCH_SIGNS = 'eye on;watch;monitor;überwach;beobacht;behalt'.split(';');
/** Signs of a name: a condition is about something in quotes, a path, an address, a branch, ref or tag. */
const NAME_SIGNS = '`;";“;„;/;*;branch;ref ;tag ;zweig; moves;bewegt;new commits;neue commits'.split(';');

/** False for most texts without a condition, and never for one that has it: no pattern is compiled for those. */
function mayNameCondition(text: string): boolean {
	const low = text.toLowerCase();
	const hasFileName = low.split('.').some((part, at) => at > 0 && part !== '' && !part.startsWith(' '));
	const isNamed = hasFileName || NAME_SIGNS.some((sign) => low.includes(sign));
	return isNamed && [...LEAD_SIGNS, ...WATCH_SIGNS].some((sign) => low.includes(sign));
}

/** A text that says on which condition and what: a message, or the one operand of a command. Undefined: it does not. */
export function splitCondition(message: string): SplitCondition | undefined {
	const text = message.trim();
	if (!mayNameCondition(text)) {
		return undefined;
	}
	const told = text.replace(TELL_BEGINNING, '');
	if (told !== text) {
		const words = told.replace(/[.!]$/, '');
		return readCondition(words) === undefined ? undefined : { words, rest: '' };
	}
	const plain = text.replace(POLITE_BEGINNING, '').replace(/[.!]$/, '');
	if (readCondition(plain) !== undefined) {
		return { words: plain, rest: '' };
	}
	const kept = KEEP_AN_EYE.exec(plain)?.[1];
	if (kept !== undefined) {
		const words = [`whenever ${kept} changes`, `whenever the output of ${kept} changes`, `whenever ${kept} moves`];
		const found = (/^[`"“„]/.test(kept) ? words.slice(1) : words).find((each) => readCondition(each) !== undefined);
		return found === undefined ? undefined : { words: found, rest: '' };
	}
	return splitAround(plain);
}

function splitAround(text: string): SplitCondition | undefined {
	for (const [pattern, read] of LEADING_CONDITIONS) {
		const found = pattern.exec(text);
		if (found !== null && read(found.slice(3, -1)) !== undefined) {
			const rest = found.at(-1)?.trim() ?? '';
			return STATEMENT_BEGINNING.test(rest) ? undefined : { words: found[1] ?? '', rest };
		}
	}
	for (const [pattern, read] of TRAILING_CONDITIONS) {
		const found = pattern.exec(text);
		if (found !== null && read(found.slice(4)) !== undefined) {
			const rest = found[1]?.trim() ?? '';
			return STATEMENT_BEGINNING.test(rest) ? undefined : { words: found[2] ?? '', rest };
		}
	}
	return undefined;
}

/** Patterns for how a poll is expected to end; groups: code ×3, says ×8, fails, succeeds, changes. */
function outcomeWords(): string {
	return `(?:${CODE_WORDS}|${TEXT_WORDS}|(${FAILURE_WORDS})|(${SUCCESS_WORDS})|(${CHANGED_WORDS}))`;
}

function findGroup(groups: readonly (string | undefined)[]): string | undefined {
	return groups.find((group) => group !== undefined);
}

const CODE_GROUPS = 3;
const TEXT_GROUPS = 8;

function readEnd(groups: readonly (string | undefined)[]): WatchExpectation {
	const code = findGroup(groups.slice(0, CODE_GROUPS));
	const says = findGroup(groups.slice(CODE_GROUPS, CODE_GROUPS + TEXT_GROUPS));
	const [fails, succeeds] = groups.slice(CODE_GROUPS + TEXT_GROUPS);
	if (code !== undefined) {
		return { code: Number(code) };
	}
	return says === undefined ? (fails ? 'fails' : succeeds ? 'succeeds' : 'changes') : { says };
}

const QUOTE_GROUPS = 4;

function readCommand(groups: readonly (string | undefined)[]): WatchCondition | undefined {
	const what = findGroup(groups.slice(0, QUOTE_GROUPS));
	const expects = readEnd(groups.slice(QUOTE_GROUPS));
	if (what === undefined) {
		return undefined;
	}
	return /^https?:\/\//i.test(what) ? { kind: 'address', what, expects } : { kind: 'command', what, expects };
}

function readOutput(groups: readonly (string | undefined)[]): WatchCondition | undefined {
	const what = findGroup(groups);
	return what === undefined ? undefined : { kind: 'command', what, expects: 'changes' };
}

function readAddress(groups: readonly (string | undefined)[]): WatchCondition | undefined {
	const what = groups[0] ?? groups[1];
	return what === undefined ? undefined : { kind: 'address', what, expects: readEnd(groups.slice(2)) };
}

function readFilesCondition(groups: readonly (string | undefined)[]): WatchCondition | undefined {
	const what = findGroup(groups);
	// Words in quotes without any path are a command, of which the output is watched.
	const isCommand = what !== undefined && /\s/u.test(what) && !/[./*]/u.test(what);
	return what === undefined || isCommand || /^https?:/i.test(what)
		? undefined
		: { kind: 'files', what, expects: 'changes' };
}

function readRefCondition(groups: readonly (string | undefined)[]): WatchCondition | undefined {
	const what = groups[0] ?? groups[1];
	const remote = groups[2] ?? groups[3];
	if (what === undefined) {
		return undefined;
	}
	return { kind: 'ref', what, expects: 'changes', ...(remote === undefined ? {} : { remote }) };
}

const DURATION_UNITS: readonly (readonly [RegExp, number])[] = [
	[/^m/, 60_000],
	[/^[hs]/, 3_600_000],
	[/^[dt]/, 86_400_000],
	[/^w/, 604_800_000],
];

/** A length of time in words, such as "2 hours", "3 Tage" or "90m", in milliseconds. Undefined: it is none. */
export function readDuration(words: string): number | undefined {
	const [, count = '', unit = ''] =
		/^(?:for |für )?(\d{1,4}) ?(m|min|minutes?|minuten?|h|hours?|stunden?|d|days?|tage?n?|w|weeks?|wochen?)$/i.exec(
			words.trim(),
		) ?? [];
	const ms = DURATION_UNITS.find(([begin]) => begin.test(unit.toLowerCase()))?.[1];
	return ms === undefined || Number(count) === 0 ? undefined : Number(count) * ms;
}

/** Returns the act that is done again and again with nobody there, for the consent. */
export function describePolling({ kind, what, remote }: WatchCondition): Text {
	switch (kind) {
		case 'command':
			return joinTexts(what);
		case 'ref':
			return remote === undefined
				? joinTexts(`git rev-parse --verify ${what}`)
				: text('ask {remote} for the ref {what}', { remote, what });
		case 'address':
			return joinTexts(`GET ${what}`);
		case 'files':
			return text('look at the files {what}', { what });
	}
}

/** Tells what became of a watch that is over. */
export function describeWatchEnd({ held }: { readonly held: number }): Text {
	return held === 0 ? text('over: it did not happen in time') : text('over: it happened');
}
