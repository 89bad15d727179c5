/**
 * Finds secrets that only their label gives away: `password=…`, `"client_secret": "…"`, `--token …`. Any text can be a
 * password, so the way the value is written decides whether it is one, or code, a type, a path or a sentence.
 * Linear in the text: each label is found once, and at most `MAX_VALUE_CHARS` after it are looked at.
 */
import { MAX_VALUE_CHARS } from './limits.ts';

/** Where the value lies, without its quotes. */
interface LabelledSecret {
	readonly start: number;
	readonly end: number;
}

/** How a value is written: `a="b"`, `a=b` as in shells, URLs and `.env`, or `a = b` and `a: b`, which code and types are, too. */
type Form = 'quoted' | 'tight' | 'loose';

interface Value extends LabelledSecret {
	readonly text: string;
	readonly form: Form;
	/** The character after it. */
	readonly next: string;
}

/** Labels of what people make up: short values, or words. The values of the others come from machines. */
const passwordLabel = 'passwords?|passwd|passphrase|passcode|passwort|kennwort|pwd';
const machineLabel =
	'secret|token|(?<![a-z])pass|(?:api|access|private|secret|signing|encryption|account)[_-]?key|(?<![a-z])_auth|credentials?';

const label = new RegExp(
	`(?:(?<password>${passwordLabel})|${machineLabel})(?:\\\\?["'\`]\\]?)?(?<sign>\\s{0,4}(?:=>|:=|={1,3}|:)\\s{0,4}|>(?=[^<>\\n]{4,200}</))|(?<=--[a-z-]{0,40})(?:(?<password>${passwordLabel})|${machineLabel})(?<sign> )`,
	'gi',
);
/** In a text within a text, as in JSON that holds JSON, the quotes are escaped on both sides. */
const quoted = new RegExp(`(\\\\?)(["'\`])((?:(?!\\1\\2)(?:\\\\.|[^\\\\\\n])){4,${MAX_VALUE_CHARS}}?)\\1\\2`, 'y');
const plain = new RegExp(`[^\\s"'\`,;)}\\]&<>|\\\\]{6,${MAX_VALUE_CHARS}}`, 'y');
const rest = /[^\s"'`,;)}\]&<>|\\]*/y;

export function findLabelledSecrets(text: string): LabelledSecret[] {
	const found: LabelledSecret[] = [];
	let from = 0;
	for (const match of text.matchAll(label)) {
		if (match.index >= from) {
			const { password, sign = '' } = match.groups ?? {};
			const value = valueAt(text, match.index + match[0].length, sign);
			if (value !== undefined && isSecret(value, password !== undefined)) {
				from = value.form === 'quoted' ? value.end : endOf(text, value);
				found.push({ start: value.start, end: from });
			}
		}
	}
	return found;
}

function valueAt(text: string, at: number, sign: string): Value | undefined {
	quoted.lastIndex = at;
	const [, escape = '', , inQuotes] = quoted.exec(text) ?? [];
	if (inQuotes !== undefined) {
		const start = at + escape.length + 1;
		return { start, end: start + inQuotes.length, text: inQuotes, form: 'quoted', next: '' };
	}
	// A quote that does not end: what is left of a value that was cut.
	const start = /["'`]/.test(text.charAt(at)) ? at + 1 : at;
	plain.lastIndex = start;
	const bare = plain.exec(text)?.[0].replace(/[.:]+$/, '');
	if (bare === undefined || sign.includes('=>')) {
		return undefined;
	}
	const end = start + bare.length;
	const form = ['=', ' ', '>'].includes(sign) || start > at ? 'tight' : 'loose';
	return { start, end, text: bare, form, next: text.slice(end, end + 1) };
}

/** A value that is longer than what was judged of it goes whole. */
function endOf(text: string, { start, end }: Value): number {
	if (end - start < MAX_VALUE_CHARS) {
		return end;
	}
	rest.lastIndex = end;
	return end + (rest.exec(text)?.[0].length ?? 0);
}

function isSecret(value: Value, isPassword: boolean): boolean {
	const { text, form } = value;
	if (isPlaceholder(text) || isPlace(text) || /^[~^]?\d+\.\d/.test(text)) {
		return false;
	}
	if (form === 'quoted') {
		return isPassword
			? isPasswordText(text)
			: text.length >= 6 && /^[\x21-\x7e]+$/.test(text) && (isMixed(text) || isKey(text));
	}
	if (isCode(value)) {
		return false;
	}
	if (isMixed(text)) {
		return isPassword || text.length >= 8;
	}
	return isPassword ? isMadeUp(value) : form === 'tight' && isKey(text);
}

/** Between quotes: a password, also of several words, but no sentence about one. */
function isPasswordText(text: string): boolean {
	if (/\s/.test(text)) {
		return !sentenceWords.test(text) && !/^[A-Z][a-z']*(?:\s+[a-z]+)*$/.test(text) && !/[.!?:…]$/.test(text);
	}
	return (
		isMixed(text) ||
		/^\d{4,}$/.test(text) ||
		(/^(?:[a-z_-]{5,}|(?![A-Z][a-z]+$)[A-Za-z_-]{8,})$/.test(text) && !ordinary.test(text))
	);
}

/** Without a digit or a sign: a word or a number, where nothing but a value can stand. */
function isMadeUp({ text, form, next }: Value): boolean {
	if (/^\d{6,}$/.test(text)) {
		return form === 'tight' || next.trim() === '';
	}
	const isWord = /^(?:[a-z]{6,}|[A-Za-z]{8,})$/.test(text) && !ordinary.test(text);
	return form === 'tight' && isWord && !/[,)\]}.;]/.test(next);
}

/** Letters alone, but more than a name has. */
function isKey(text: string): boolean {
	return /^[A-Za-z]{20,}$/.test(text) && !ordinary.test(text);
}

/** Letters with digits, or with signs that no name has. */
function isMixed(text: string): boolean {
	const hasLetter = /\p{L}/u.test(text);
	return (hasLetter && /\d/.test(text)) || (/[!#$%^*?@+~=/]/.test(text) && /[\p{L}\d]/u.test(text));
}

/** A name, a call, a member, a type or a template: what stands where code gives a label its value. */
function isCode({ text, form, next }: Value): boolean {
	if (/^[$%{@?]|^!+[\w(]|[([{]|\$\{|=>|::|\?\./.test(text) || /[([{]/.test(next) || types.test(text)) {
		return true;
	}
	if (form === 'loose' && /^[\w$<]*(?:password|passwd|token|secret|credential)/i.test(text)) {
		return true;
	}
	if (/^[\p{L}_$#][\w$#]*(?:\.[\p{L}_$#][\w$#]*)+$/u.test(text)) {
		return true;
	}
	const isName =
		/^[a-z_$#][\w$.]*!$|^[a-z_$#][a-z_$]*\d{0,2}$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/i.test(text) ||
		/^[A-Za-z]+(?:[A-Z0-9][a-z]+)+\d{0,2}$/.test(text);
	return isName && (form === 'loose' || /[,)\]]/.test(next)) && next !== '' && next !== '\n' && next !== '\r';
}

/** What stands where the reader is to put a secret, or where one was taken out. */
function isPlaceholder(text: string): boolean {
	return (
		/redacted|your[_ -]|example|placeholder|\$\{|\{\{|\{\d|^%s|%\(|process\.env|secrets\.|\.{3}|…/i.test(text) ||
		/^(.)\1*$/u.test(text) ||
		/^(?:<.*>|\[.*\]|\{.*\}|%.*%|\$[A-Z_a-z]\w*)$/.test(text)
	);
}

/** A path or an address, as `PWD` and options that name a file have. */
function isPlace(text: string): boolean {
	return (
		/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ||
		/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ /\\-]*$/.test(text) ||
		/^[\w@-]+(?:\/[\w.@-]+)*\/[\w-]+\.[a-z]{1,5}$/.test(text)
	);
}

/** Names of types and algorithms that hold digits. */
const types =
	/^(?:u?int\d*(?:_t|array)?|[iuf]\d{1,3}|float\d+(?:array)?|bigu?int64array|varchar2?|utf-?(?:8|16)|ascii|base64(?:url)?|sha-?\d+|md5|http2|oauth2|argon2(?:id|i|d)?|pbkdf2|hs\d+|rs\d+|es\d+|h\d|aes-\d+-\w+)[?;,]?$/i;

/** Words that stand for a value in schemas, forms, texts and code. */
const ordinary =
	/^(?:string|text|hidden|required|optional|invalid|missing|wrong|incorrect|expired|valid|empty|none|null|undefined|true|false|nil|default|input|field|value|unknown|disabled|enabled|number|boolean|object|buffer|bytes|basic|bearer|header|cookie|query|prompt|stdin|env|file|keychain|plain|hashed|encrypted|masked|visible|readonly|private|public|always|never)$|pass(?:word|wd|phrase|wort|code)?|pwd|secret|token|credential|kennwort|key$/i;

/** Words of the sentences that forms and errors say about passwords; none is likely in a passphrase. */
const sentenceWords =
	/(?<![a-z])(?:the|your|is|are|was|must|not|does|did|has|have|should|can|cannot|at least|characters?|required|invalid|wrong|incorrect|enter|please|password|passwort|kennwort|token|secret|key|and|or|to|for|of|with|an?|in|on|by|from|here|no|show|hide|forgot|reset|change|confirm|repeat|new|old|current)(?![a-z])/i;
