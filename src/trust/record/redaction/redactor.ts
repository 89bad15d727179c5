/**
 * The one place where secrets leave a text: everything for the model, the view, the log and the ledger passes here.
 * Exact values come first, in every usual encoding; then what looks like a secret. Redact first, cut second.
 */
import { runWithin } from './budget.ts';
import { listEncodings } from './encodings.ts';
import { programVocabulary } from './finders/command-credentials.ts';
import { type Family, familyVocabulary, listFamilies } from './finders/families.ts';
import { type SecretFinding, pickOutermost } from './findings.ts';
import { findKubernetesSecrets } from './finders/kubernetes-secrets.ts';
import { findLabelledSecrets } from './finders/labelled-secrets.ts';
import { MAX_REDACT_DEPTH, MIN_SECRET_LENGTH, PATTERN_BUDGET_MS, WATCHED_CHARS } from './limits.ts';
import { tokenVocabularies } from './finders/tokens.ts';
import { type WordFindings, WordPass } from './finders/word-pass.ts';
import { RedactedStream, type WholeTexts } from './redacted-stream.ts';

/** The family of the values that we were told. */
export const KNOWN = 'secret';

/** A text that is longer seldom stands twice in one value. */
const MAX_REMEMBERED_CHARS = 64;

/** The family of secrets that only their label gives away. */
const LABELLED = 'password';

export class Redactor implements WholeTexts {
	readonly #values = new Set<string>();
	readonly #moreFamilies: () => readonly Family[];
	#exact: RegExp | undefined;

	/** `moreFamilies`: patterns of the configuration as it is now, after ours. */
	constructor(moreFamilies: () => readonly Family[] = () => []) {
		this.#moreFamilies = moreFamilies;
	}

	/** Values shorter than `MIN_SECRET_LENGTH` are passed over. */
	addSecret(value: string): void {
		for (const candidate of [value, value.trim()]) {
			if (candidate.length >= MIN_SECRET_LENGTH && !this.#values.has(candidate)) {
				this.#values.add(candidate);
				this.#exact = undefined;
			}
		}
	}

	/** Only the values that we were told, in every usual encoding; what merely looks like a secret stays. */
	redactKnown(text: string): string {
		const exact = this.#exactPattern();
		return exact === undefined ? text : text.replace(exact, `<redacted:${KNOWN}>`);
	}

	redact(text: string): string {
		let result = this.redactKnown(text);
		const { secrets, held } = findByWords(result);
		result = replaceFindings(result, pickOutermost([...secrets, ...inKubernetes(result)]));
		for (const { name, pattern } of listFamilies(held)) {
			result = struckOut(result, name, pattern);
		}
		result = replaceFindings(result, labelledIn(result));
		for (const family of this.#moreFamilies()) {
			const { name, pattern } = family;
			const before = result;
			result = runWatched(family, before, () => struckOut(before, name, pattern)) ?? `<redacted:${name}-took-too-long>`;
		}
		return result;
	}

	/** A copy with every string redacted, keys of records included. Plain data only. */
	redactDeep(value: unknown): unknown {
		// Keys and words of a list are the same in each of its items.
		const known = new Map<string, string>();
		const redactRemembered = (text: string) => {
			if (text.length > MAX_REMEMBERED_CHARS) return this.redact(text);
			const redacted = known.get(text) ?? this.redact(text);
			known.set(text, redacted);
			return redacted;
		};
		return redactDeeply(value, redactRemembered, 0);
	}

	/** For output that comes in pieces: a secret split over two of them is found. */
	stream(): RedactedStream {
		return new RedactedStream(this);
	}

	/** Where secrets lie in `text`; may overlap. */
	find(text: string): SecretFinding[] {
		const exact = this.#exactPattern();
		const { secrets, held } = findByWords(text);
		const patterns: readonly Family[] = [
			...(exact === undefined ? [] : [{ name: KNOWN, pattern: exact }]),
			...listFamilies(held),
			...this.#moreFamilies(),
		];
		const found = patterns.flatMap((family) => {
			const { name, pattern } = family;
			const findMatches = () =>
				Array.from(text.matchAll(pattern), (match) => ({
					start: match.index,
					end: match.index + match[0].length,
					family: name,
				}));
			return runWatched(family, text, findMatches) ?? [{ start: 0, end: text.length, family: name }];
		});
		return [...secrets, ...inKubernetes(text), ...found, ...labelledIn(text)];
	}

	/** First lines of known values that go over several lines. */
	get multiLineValues(): readonly string[] {
		return [...this.#values].filter((value) => value.includes('\n'));
	}

	#exactPattern(): RegExp | undefined {
		if (this.#exact === undefined && this.#values.size > 0) {
			const sources = [...this.#values].flatMap(listEncodings);
			// Longest first: of a value that contains another, all goes.
			sources.sort((a, b) => b.length - a.length);
			this.#exact = new RegExp(sources.join('|'), 'g');
		}
		return this.#exact;
	}
}

function redactDeeply(value: unknown, redact: (text: string) => string, depth: number): unknown {
	if (typeof value === 'string') {
		return redact(value);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	if (depth >= MAX_REDACT_DEPTH) {
		return '<redacted:too-deep>';
	}
	if (Array.isArray(value)) {
		return value.map((item) => redactDeeply(item, redact, depth + 1));
	}
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [redact(key), redactDeeply(item, redact, depth + 1)]),
	);
}

function struckOut(text: string, name: string, pattern: RegExp): string {
	return text.replace(pattern, (...match) => `${keptPart(match)}<redacted:${name}>`);
}

let pass: WordPass | undefined;

/** Finds tokens and the credentials of commands, and the families of which the text holds a word. */
function findByWords(text: string): WordFindings {
	pass ??= new WordPass([...tokenVocabularies(), programVocabulary, familyVocabulary()]);
	return pass.read(text);
}

/** Finds the values of Kubernetes secrets that commands print. */
function inKubernetes(text: string): SecretFinding[] {
	return findKubernetesSecrets(text).map((place) => ({ ...place, family: 'kubernetes' }));
}

/** Secrets that their label gives away; the label stays. */
function labelledIn(text: string): SecretFinding[] {
	return findLabelledSecrets(text).map((value) => ({ ...value, family: LABELLED }));
}

/** `findings` in the order of the text, none within another. */
function replaceFindings(text: string, findings: readonly SecretFinding[]): string {
	let result = '';
	let from = 0;
	for (const { start, end, family } of findings) {
		result += `${text.slice(from, start)}<redacted:${family}>`;
		from = end;
	}
	return from === 0 ? text : result + text.slice(from);
}

/** Undefined when a pattern of the user took too long. */
function runWatched<T extends NonNullable<unknown>>({ isOwn }: Family, text: string, work: () => T): T | undefined {
	return isOwn === true && text.length > WATCHED_CHARS ? runWithin(PATTERN_BUDGET_MS, work) : work();
}

function keptPart(match: readonly unknown[]): string {
	const groups = match.at(-1);
	return typeof groups === 'object' && groups !== null && 'keep' in groups ? String(groups.keep) : '';
}
