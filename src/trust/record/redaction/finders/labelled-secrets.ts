/**
 * Finds secrets that only their label gives away: `password=…`, `"client_secret": "…"`, `--token …`.
 * Linear in the text: each label is found once, at most `MAX_VALUE_CHARS` after it are looked at, and a run of labels
 * without a blank or quote between them is not looked at again and again.
 */
import type { TextPlace } from '../findings.ts';
import { MAX_LABELS_IN_A_RUN, MAX_NAME_AFTER_LABEL, MAX_NAME_BEFORE_LABEL, MAX_VALUE_CHARS } from '../limits.ts';
import { type ValueForm, type LabelKind, type LabelledValue, isSecretValue } from './secret-values.ts';
import { WordFinder } from './word-finder.ts';

interface LabelledPlace extends TextPlace, LabelledValue {
	readonly kind: LabelKind;
}

interface Label {
	readonly word: string;
	readonly kind: LabelKind;
}

const keyOwners = [
	'api',
	'app',
	'auth',
	'access',
	'private',
	'secret',
	'signing',
	'encryption',
	'account',
	'subscription',
	'hmac',
];
const wordsByKind: Readonly<Record<LabelKind, readonly string[]>> = {
	password: ['password', 'passwords', 'passwd', 'passphrase', 'passcode', 'passwort', 'kennwort', 'pwd'],
	machine: [
		'secret',
		'token',
		'pass',
		'_auth',
		'client-key-data',
		'credential',
		'credentials',
		...keyOwners.flatMap((owner) => ['', '_', '-'].map((joint) => `${owner}${joint}key`)),
	],
	vague: ['creds', 'user_auth', 'user-auth', 'userauth'],
};
const labels: readonly Label[] = Object.entries(wordsByKind).flatMap(([kind, words]) =>
	words.map((word) => ({ word, kind: kind as LabelKind })),
);
const finder = new WordFinder(labels.map(({ word }) => word));
/** Go on to other words: `passenger`, `author`. */
const wholeWords: readonly string[] = ['pass', '_auth'];

/**
 * Between a label and its value: what assigns, in shells and code (`?=`, `::=`, `+=`), also behind a type
 * (`: String =`); a comma behind a label in quotes; what begins a block of YAML; the end of an XML tag.
 */
const sign = new RegExp(
	[
		String.raw`\\?["'\u0060]?\]?(?:`,
		String.raw`(?<block>:[ \t]{0,4}[|>][+-]?[ \t]{0,4}\n[ \t]{1,16})`,
		String.raw`|(?<=[\w.-])[ \t]?:?[ \t]&?[A-Za-z][\w.<>[\]]{0,24}[ \t]{0,2}=[ \t]{0,4}(?=["'\u0060])`,
		String.raw`|(?<assigns>[ \t]{0,16}(?:=>|[:?+.|]{0,3}={1,3}|:)(?:(?:[ \t]?\()?\s{0,24}(?=["'\u0060])|\s{0,4}))`,
		String.raw`|(?<=["'\u0060])(?<list>,[ \t]{0,4})(?=["'\u0060])`,
		String.raw`|(?<tag>>\s{0,20})(?=[^<>]{4,240}<\/)`,
		')',
	].join(''),
	'y',
);
/** In a text within a text, as in JSON that holds JSON, the quotes are escaped on both sides. */
const quotedValuePattern = new RegExp(
	`(\\\\?)(["'\`])((?:(?!\\1\\2)(?:\\\\.|[^\\\\\\n])){4,${MAX_VALUE_CHARS}}?)\\1\\2`,
	'y',
);
const plainValuePattern = new RegExp(`[^\\s"'\`,;)}\\]&<>|\\\\]{6,${MAX_VALUE_CHARS}}`, 'y');
/** A few characters that go on as `....`. More of them, or before three dots, can be a whole secret. */
const SHORTENED_VALUE = /^.{1,10}\.{4,}$/;
const valueRestPattern = /[^\s"'`,;)}\]&<>|\\]*/y;

export function findLabelledSecrets(text: string): TextPlace[] {
	const found: TextPlace[] = [];
	let from = 0;
	/** Where the run of labels without a blank or quote between them ends, and how many of its values were looked at. */
	let run = { end: 0, looks: 0 };
	finder.find(text, (word, end) => {
		const label = labels[word];
		if (label === undefined || end - label.word.length < from) {
			return;
		}
		const value = findValueBehindLabel(text, label, end);
		if (value === undefined) {
			return;
		}
		if (value.form !== 'quoted') {
			run = value.start < run.end ? { end: run.end, looks: run.looks + 1 } : { end: value.end, looks: 1 };
		}
		// Slow must not mean shown.
		if (isSecretValue(value, value.kind) || run.looks > MAX_LABELS_IN_A_RUN) {
			from = value.form === 'quoted' ? value.end : findValueEnd(text, value);
			found.push({ start: value.start, end: from });
		}
	});
	return found;
}

function findValueBehindLabel(text: string, { word, kind }: Label, end: number): LabelledPlace | undefined {
	const start = end - word.length;
	const nameEnd = endOfName(text, end);
	if (wholeWords.includes(word) && (nameEnd > end || isLetter(text.charCodeAt(start - 1)))) {
		return undefined;
	}
	sign.lastIndex = nameEnd;
	const match = sign.exec(text);
	if (match === null) {
		return isOption(text, start, end) ? findLabelledValueAt(text, end + 1, 'tight', kind) : undefined;
	}
	const { assigns, block, list, tag } = match.groups ?? {};
	const isVague = nameEnd > end || block !== undefined || list !== undefined;
	const value = findLabelledValueAt(
		text,
		sign.lastIndex,
		assigns === '=' || tag !== undefined ? 'tight' : 'loose',
		isVague ? 'vague' : kind,
	);
	return value?.form !== 'quoted' && assigns?.includes('=>') === true ? undefined : value;
}

function findLabelledValueAt(text: string, at: number, form: ValueForm, kind: LabelKind): LabelledPlace | undefined {
	quotedValuePattern.lastIndex = at;
	const first = text.charAt(at);
	const match = '"\'`\\'.includes(first) ? quotedValuePattern.exec(text) : null;
	const escape = match?.[1] ?? '';
	const inQuotes = match?.[3];
	if (inQuotes !== undefined) {
		const start = at + escape.length + 1;
		return { start, end: start + inQuotes.length, text: inQuotes, form: 'quoted', next: '', kind };
	}
	// A quote that does not end: what is left of a value that was cut.
	const start = '"\'`'.includes(first) ? at + 1 : at;
	plainValuePattern.lastIndex = start;
	const looked = plainValuePattern.exec(text)?.[0];
	if (looked === undefined || SHORTENED_VALUE.test(looked)) {
		return undefined;
	}
	// A value that fills the whole stretch goes on behind it, so a dot or colon at the end of the stretch belongs to
	// the value.
	const bare = looked.length < MAX_VALUE_CHARS ? looked.replace(/[.:]+$/, '') : looked;
	const end = start + bare.length;
	return { start, end, text: bare, form: start > at ? 'tight' : form, next: text.slice(end, end + 1), kind };
}

/** `--token abc`, `--db-password abc`: the label ends the name of an option, and what follows is none. */
function isOption(text: string, start: number, end: number): boolean {
	if (text.charAt(end) !== ' ' || text.charAt(end + 1) === '-') {
		return false;
	}
	// Some programs write their long options with one hyphen: then the label is the whole name.
	if (text.charAt(start - 1) === '-' && /\s/.test(text.charAt(start - 2))) {
		return true;
	}
	const least = Math.max(0, start - MAX_NAME_BEFORE_LABEL);
	let at = start - 1;
	while (at > least && (isLetter(text.charCodeAt(at)) || (text.charAt(at) === '-' && text.charAt(at - 1) !== '-'))) {
		at -= 1;
	}
	return text.startsWith('--', at - 1);
}

/** A value that is longer than what was judged of it goes whole. */
function findValueEnd(text: string, { start, end }: LabelledPlace): number {
	if (end - start < MAX_VALUE_CHARS) {
		return end;
	}
	valueRestPattern.lastIndex = end;
	return end + (valueRestPattern.exec(text)?.[0].length ?? 0);
}

/** Where the name ends that a label is in: `secretForTests` behind `secret`. */
function endOfName(text: string, labelEnd: number): number {
	const most = Math.min(text.length, labelEnd + MAX_NAME_AFTER_LABEL);
	let end = labelEnd;
	while (end < most && isInName(text.charCodeAt(end))) {
		end += 1;
	}
	return end;
}

/** A letter, a digit, `_`, `-` or `.`. */
function isInName(code: number): boolean {
	return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || code === 0x2e;
}

function isLetter(code: number): boolean {
	return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
