/**
 * Judges the value behind a label: a secret, or code, a type, a path, a sentence. Any text can be a password, so the
 * way it is written decides. Checks that need one glance come first, because a text may be full of labels.
 */
import { computeEntropy, isFilled } from './entropy.ts';

/**
 * Notation of a value: `a="b"`, `a=b` as in shells, URLs and `.env`, or `a = b` and `a: b`, which code and types use,
 * too.
 */
export type ValueForm = 'quoted' | 'tight' | 'loose';

/** Whose label it is: of what people make up (short values, words), of what machines make, or one that says less. */
export type LabelKind = 'password' | 'machine' | 'vague';

export interface LabelledValue {
	/** Without its quotes. */
	readonly text: string;
	readonly form: ValueForm;
	/** The character after it. */
	readonly next: string;
}

export function isSecretValue(value: LabelledValue, kind: LabelKind): boolean {
	const { text, form } = value;
	return (
		looksSecret(value, kind) &&
		!(form !== 'quoted' && kind !== 'vague' && isCode(value)) &&
		!isPlaceholder(text) &&
		!isPathOrAddress(text) &&
		!/^[~^]?\d+\.\d/.test(text)
	);
}

function looksSecret(value: LabelledValue, kind: LabelKind): boolean {
	const { text, form } = value;
	if (kind === 'vague') {
		return isRandom(text);
	}
	const isPassword = kind === 'password';
	if (form === 'quoted') {
		return isPassword
			? isPasswordText(text)
			: text.length >= 6 && /^[\x21-\x7e]+$/.test(text) && (isMixed(text) || isKey(text));
	}
	if (isMixed(text)) {
		return isPassword || text.length >= 8;
	}
	return isPassword ? isMadeUp(value) : form === 'tight' && isKey(text);
}

/** Letters and digits without a rule, as only a machine writes them: a name and its number are none. */
function isRandom(text: string): boolean {
	return (
		text.length >= 16 &&
		/\d/.test(text) &&
		/^[\x21-\x7e]+$/.test(text) &&
		(text.split(/[^A-Za-z0-9]/).some(isMingled) || isWordless(text))
	);
}

/** True for a long text with hardly any three small letters in a row, as words have them. */
function isWordless(text: string): boolean {
	const inWords = (text.match(/[a-z]{3,}/g) ?? []).reduce((sum, { length }) => sum + length, 0);
	return /^[\w+/=-]{24,}$/.test(text) && inWords < text.length / 2 && computeEntropy(text) > 4.2;
}

/** Goes from letters to digits and back more than once. */
function isMingled(part: string): boolean {
	return part.length >= 8 && (part.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length > 2;
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
function isMadeUp({ text, form, next }: LabelledValue): boolean {
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
	const hasLetter = /[A-Za-z]/.test(text) || /\p{L}/u.test(text);
	return (hasLetter && /\d/.test(text)) || (/[!#$%^*?@+~=/]/.test(text) && /[\p{L}\d]/u.test(text));
}

/** A name, a call, a member, a type or a template: what stands where code gives a label its value. */
function isCode({ text, form, next }: LabelledValue): boolean {
	if (/^[$%{@?]|^!+[\w(]|[([{]|\$\{|=>|::|\?\./.test(text) || /[([{]/.test(next) || types.test(text)) {
		return true;
	}
	const isNumberedWithSign = /\d[!#$%&*?@^]{1,8}$/.test(text);
	if (form === 'loose' && !isNumberedWithSign && /^[\w$<]*(?:password|passwd|token|secret|credential)/i.test(text)) {
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

/** True for a text that stands where the reader is to put a secret, or where one was taken out. */
function isPlaceholder(text: string): boolean {
	return (
		/^(?:<.*>|\[.*\]|\{.*\}|%.*%|\$[A-Z_a-z]\w*)$/.test(text) ||
		/redacted|your[_ -]|example|placeholder|\$\{|\{\{|\{\d|^%s|%\(|process\.env|secrets\.|\.{3}|…/i.test(text) ||
		/^(.)\1*$/u.test(text) ||
		// Samples of the standards of OAuth, which each of its libraries prints.
		/^(?:2YotnFZFEjr1zCsicMWpAA|tGzv3JOkF0XG5Qx2TlKWIA|45ghiukldjahdnhzdauz|SlAV32hkKG)$/.test(text) ||
		// A colour.
		/^#(?:[0-9a-f]{3,4}){1,2}$/i.test(text) ||
		isFilled(text)
	);
}

/** A path or an address, as `PWD` and options that name a file have. */
function isPathOrAddress(text: string): boolean {
	return (
		/[/\\]/.test(text) &&
		(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ||
			// A key in base64 may begin with a slash.
			(/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@ /\\-]*$/.test(text) && !isWordless(text)) ||
			/^[\w@-]+(?:\/[\w.@-]+)*\/[\w-]+\.[a-z]{1,5}$/.test(text))
	);
}

/** Names of types and algorithms that hold digits. */
const types =
	/^(?:u?int\d*(?:_t|array)?|[iuf]\d{1,3}|float\d+(?:array)?|bigu?int64array|varchar2?|utf-?(?:8|16)|ascii|base64(?:url)?|sha-?\d+|md5|http2|oauth2|argon2(?:id|i|d)?|pbkdf2|hs\d+|rs\d+|es\d+|h\d|aes-\d+-\w+)[?;,]?$/i;

/** Words that stand for a value in schemas, forms, texts and code. */
const ordinary =
	/^(?:options?|arguments?|flags?|parameters?|string|text|hidden|required|optional|invalid|missing|wrong|incorrect|expired|valid|empty|none|null|undefined|true|false|nil|default|input|field|value|unknown|disabled|enabled|number|boolean|object|buffer|bytes|basic|bearer|header|cookie|query|prompt|stdin|env|file|keychain|plain|hashed|encrypted|masked|visible|readonly|private|public|always|never)$|pass(?:word|wd|phrase|wort|code)?|pwd|secret|token|credential|kennwort|key$/i;

/** Words of the sentences that forms and errors say about passwords; none is likely in a passphrase. */
const sentenceWords =
	/(?<![a-z])(?:the|your|is|are|was|must|not|does|did|has|have|should|can|cannot|at least|characters?|required|invalid|wrong|incorrect|enter|please|password|passwort|kennwort|token|secret|key|and|or|to|for|of|with|an?|in|on|by|from|here|no|show|hide|forgot|reset|change|confirm|repeat|new|old|current)(?![a-z])/i;
