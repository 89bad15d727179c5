/**
 * Tells a result that is new from one that only looks new, and what the user's words say of repeating. Guards count
 * progress with it (S2-14).
 */
import { createHash } from 'node:crypto';
import type { OpName } from '../../../protocol/op-table/ops.ts';
import { ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { hasPlainWord, readPlainWords, toWordSet } from '../../turn/plain-words.ts';

/** Hashes by which a result is known: `exact` for every byte, `shape` without what changes by itself as time goes by. */
interface ResultPrint {
	readonly exact: string;
	readonly shape: string;
}

/**
 * Times of day, dates, ages, ids of processes and stamps of the epoch: a result in which only these differ shows no
 * progress. Counts and shares stay, because "3 of 10 ready" and "35 %" are progress.
 */
const PASSING =
	/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?\b|\b(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? |\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{1,2}\b|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{4})?\b|\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b(?: ?[AP]M\b)?|\b(?:(?:\d+d)?(?:\d+h)?(?:\d+m)?\d+(?:[.,]\d+)? ?(?:ns|[µu]s|ms|s|m|h|d|secs?|mins?|seconds?|minutes?|hours?|days?|Sekunden?|Minuten?|Stunden?|Tagen?))\b|\babout an? (?:minute|hour)\b|\bless than a second\b|\bpid[ :=#]*\d+|\[\d{2,7}\]|\b1\d{9}(?:\d{3})?(?:\.\d+)?\b|\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/giu;

export function printOfResult(text: string): ResultPrint {
	return { exact: hashCallText(text), shape: hashCallText(withOneSpace(text.replaceAll(PASSING, '~'))) };
}

function withOneSpace(text: string): string {
	return text.includes('  ') || text.includes('\t') ? text.replaceAll(/[ \t]+/g, ' ') : text;
}

export function hashCallText(text: string): string {
	return createHash('sha256').update(text).digest('base64');
}

/** Permissions of ops whose answer stays the same unless the agent, or a program, does something. */
const STILL: ReadonlySet<string> = new Set(['workspace.read', 'git', 'editor', 'memory', 'crypto']);

/** The op looks at what changes by itself, such as a program, a service or an execution: asked again, it may say more. */
export function looksAtLivingThings(op: OpName): boolean {
	const { effect, permission }: OpDef = ops[op];
	return effect === 'execute' || (effect === 'read' && !STILL.has(permission));
}

/** Words of the user's message about doing the same again. */
export interface AskedRepeats {
	/** Times that a call was asked for; 1: nothing was said. */
	readonly times: number;
	/** The user wants something waited for or watched. */
	readonly isUntil: boolean;
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
	two: 2,
	three: 3,
	four: 4,
	five: 5,
	six: 6,
	seven: 7,
	eight: 8,
	nine: 9,
	ten: 10,
	twelve: 12,
	twenty: 20,
	fifty: 50,
	hundred: 100,
	zwei: 2,
	drei: 3,
	vier: 4,
	fünf: 5,
	sechs: 6,
	sieben: 7,
	acht: 8,
	neun: 9,
	zehn: 10,
	zwölf: 12,
	zwanzig: 20,
	fünfzig: 50,
	hundert: 100,
};
const TIMES = new RegExp(
	`(?<![\\p{L}\\d])(\\d{1,3}|${Object.keys(NUMBER_WORDS).join('|')}) ?(?:times|x|runs|iterations|mal|durchläufe)(?![\\p{L}\\d])|(?<![\\p{L}])twice(?![\\p{L}])`,
	'giu',
);
const UNTIL_WORDS =
	/(?<!\p{L})(?:until|till|wait(?:ing)? (?:for|till|until)|as soon as|keep \p{L}+ing|watch(?:ing)?|monitor(?:ing)?|poll(?:ing)?|bis|warte[nt]?|beobachte[nt]?|überwache[nt]?|solange|sobald)(?!\p{L})/iu;

const NUMBERS = Object.keys(NUMBER_WORDS);

/** "10x" and "zehnmal" are one word. */
function mayCount(request: string): boolean {
	for (const word of readPlainWords(request)) {
		const first = word.charAt(0);
		if ((first >= '0' && first <= '9') || word === 'twice' || NUMBERS.some((name) => word.startsWith(name))) {
			return true;
		}
	}
	return false;
}

/** First words of what `UNTIL_WORDS` finds. */
const WAITING_WORDS = toWordSet(
	'until till wait waiting as keep watch watching monitor monitoring poll polling',
	'bis warte warten wartet beobachte beobachten beobachtet überwache überwachen überwacht solange sobald',
);

/** English and German. */
export function readAskedRepeats(request: string): AskedRepeats {
	const found = mayCount(request) ? [...request.matchAll(TIMES)] : [];
	const counts = found.map(([, count]) =>
		count === undefined ? 2 : (NUMBER_WORDS[count.toLowerCase()] ?? Number(count)),
	);
	return { times: Math.max(1, ...counts), isUntil: hasPlainWord(request, WAITING_WORDS) && UNTIL_WORDS.test(request) };
}
