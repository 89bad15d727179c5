/**
 * The capabilities that are enabled, as the model reads of them with a thread's first message: by `type/name`, with what each
 * is for. A capability describes itself as it likes, so both are data: one line each, cleaned. Within their room stands what is
 * worth most for this thread: whole, shortened, or left to `capability_list`.
 */
import type { CapabilitySummary } from '../../protocol/capability/capability-ops.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import type { ChoiceForm } from './best-choice.ts';
import { closedChoice } from './closed-choice.ts';
import type { CapabilityValue } from '../../protocol/ops/capability-value.ts';
import { type Requirements, resolveRequirements } from '../../protocol/offer/requirements.ts';
import { promptLimits } from './limits.ts';

const CAPABILITIES_HEAD = '<capabilities for="capability_start">\n';
const TAIL = '\n</capabilities>';

interface OfferCandidate {
	/** Among all. */
	readonly index: number;
	readonly forms: readonly ChoiceForm[];
	/** Lines by form. */
	readonly lines: readonly string[];
}

/** Tokens that the list may take with a model of that window. */
export function capabilityRoom(contextWindow: number): number {
	return Math.max(
		promptLimits.offeredCapabilitiesTokens,
		Math.floor(contextWindow * promptLimits.offeredCapabilitiesShare),
	);
}

/** Result of the choice, with the capabilities it was made from. */
interface ChosenOffer {
	/** Text that the model reads; undefined without capabilities. */
	readonly text: string | undefined;
	/** In their order. */
	readonly rows: readonly OfferedRow[];
	/** Share of its worth by which a better choice could exceed this one, at most; 0: there is no better one. */
	readonly gap: number;
}

interface OfferedRow {
	readonly capability: CapabilitySummary;
	readonly value: CapabilityValue;
	/** Whole, as it begins, or not at all. */
	readonly told: 'whole' | 'short' | 'left';
	/**
	 * Tokens of the whole line; absent: others are worth so much more that the capability was not weighed, or it needs
	 * something that is missing.
	 */
	readonly tokens?: number;
	/** Names of what it needs and there is not. */
	readonly missing: readonly string[];
	/** Capabilities that are told and need this one, as `type/name`. */
	readonly neededBy: readonly string[];
}

/** Capabilities that may be told, in the order of `inTellingOrder`, with their values. */
interface Offerable {
	readonly capabilities: readonly CapabilitySummary[];
	/** In their order. */
	readonly values: readonly CapabilityValue[];
	/** With those that are worth so much less that they are not among them. */
	readonly total: number;
	/** False when there may be others. */
	readonly areAll: boolean;
}

/** The text is undefined when there are none. The same give the same bytes. */
export function createOffer({ capabilities: sorted, values, total, areAll }: Offerable, room: number): ChosenOffer {
	if (sorted.length === 0 && areAll) {
		return { text: undefined, rows: [], gap: 0 };
	}
	const required = resolveRequirements(sorted);
	const candidates = worthReading(sorted, values, required);
	const needs = needsAmong(candidates, required);
	const frame = estimateJsonTokens(formatCapabilityList(describeRest(candidates.length, false)));
	// The lines together may take a little more than each by itself.
	for (let left = room - frame; ; left -= promptLimits.roomStepTokens) {
		const { forms, value, bound } = closedChoice(
			candidates.map((each) => each.forms),
			needs,
			left,
			promptLimits.choiceSteps,
		);
		const lines = candidates.flatMap((each, index) => each.lines[forms[index] ?? -1] ?? []);
		const text = formatCapabilityList([...lines, ...describeRest(total - lines.length, areAll)]);
		if (lines.length === 0 || estimateJsonTokens(text) <= room) {
			const gap = value === 0 ? 0 : bound / value - 1;
			return { text, rows: createOfferRows({ sorted, values, required, candidates }, forms), gap };
		}
	}
}

interface Weighed {
	readonly sorted: readonly CapabilitySummary[];
	readonly values: readonly CapabilityValue[];
	readonly required: Requirements;
	readonly candidates: readonly OfferCandidate[];
}

function createOfferRows({ sorted, values, required, candidates }: Weighed, chosen: readonly number[]): OfferedRow[] {
	const byIndex = new Map(candidates.map((candidate, at) => [candidate.index, { candidate, form: chosen[at] ?? -1 }]));
	const neededBy = new Map<number, string[]>();
	for (const [index, { needs }] of required) {
		const { type, name } = sorted[index] ?? {};
		if ((byIndex.get(index)?.form ?? -1) === -1) continue;
		for (const each of needs) neededBy.set(each, [...(neededBy.get(each) ?? []), `${type}/${name}`]);
	}
	return sorted.flatMap((capability, index): OfferedRow[] => {
		const value = values[index];
		const weighed = byIndex.get(index);
		if (value === undefined) return [];
		const ties = { missing: required.get(index)?.missing ?? [], neededBy: neededBy.get(index) ?? [] };
		if (weighed === undefined) return [{ capability, value, told: 'left', ...ties }];
		const { candidate, form } = weighed;
		const told = form === -1 ? 'left' : form === candidate.lines.length - 1 ? 'whole' : 'short';
		return [{ capability, value, told, tokens: candidate.forms.at(-1)?.weight ?? 0, ...ties }];
	});
}

/**
 * Returns the most valuable capabilities and those that they need, in their order, each with its whole and its
 * shortened line. Leaves out capabilities that need something that is missing.
 */
function worthReading(
	sorted: readonly CapabilitySummary[],
	values: readonly CapabilityValue[],
	required: Requirements,
): OfferCandidate[] {
	const least = values.map(({ whole }) => whole).sort((a, b) => b - a)[promptLimits.weighedCapabilities - 1] ?? 0;
	const isWorth = (index: number) => (values[index]?.whole ?? 0) >= least;
	const needed = new Set(
		[...required].flatMap(([index, { needs, missing }]) => (isWorth(index) && missing.length === 0 ? needs : [])),
	);
	return sorted.flatMap((each, index) => {
		const value = values[index];
		const isLacking = (required.get(index)?.missing.length ?? 0) > 0;
		const isRead = value !== undefined && !isLacking && (isWorth(index) || needed.has(index));
		return isRead ? [{ index, ...toOfferCandidate(each, value) }] : [];
	});
}

/** Returns the needed candidates of each candidate, by index among the candidates. */
function needsAmong(
	candidates: readonly OfferCandidate[],
	required: Requirements,
): ReadonlyMap<number, readonly number[]> {
	const at = new Map(candidates.map(({ index }, candidate) => [index, candidate]));
	return new Map(
		candidates.flatMap(({ index }, candidate) => {
			const needs = (required.get(index)?.needs ?? []).flatMap((each) => at.get(each) ?? []);
			return needs.length === 0 ? [] : [[candidate, needs] as const];
		}),
	);
}

function toOfferCandidate(
	{ type, name, description }: CapabilitySummary,
	value: CapabilityValue,
): Omit<OfferCandidate, 'index'> {
	const formatAbout = (about: string) => (about === '' ? '' : ': ') + about;
	const head = `${cleanCapabilityText(type)}/${cleanCapabilityText(name)}`;
	const about = cleanCapabilityText(description);
	const whole = head + formatAbout(cutDescription(about, promptLimits.mostDescriptionChars));
	const short = head + formatAbout(cutDescription(about, promptLimits.leastDescriptionChars));
	const lines = short === whole ? [whole] : [short, whole];
	const pickLineWorth = (line: string) => (line === whole ? value.whole : value.short);
	return {
		lines,
		forms: lines.map((line) => ({ weight: estimateJsonTokens(`${line}\n`), value: pickLineWorth(line) })),
	};
}

function describeRest(more: number, areAll: boolean): readonly string[] {
	if (areAll && more === 0) {
		return [];
	}
	return [`and ${areAll ? `${more} ` : ''}more: capability_list with a query finds them`];
}

function formatCapabilityList(rows: readonly string[]): string {
	return `${CAPABILITIES_HEAD}${rows.join('\n')}${TAIL}`;
}

/** Estimates the tokens of the text in the form in which a request carries it: as a JSON string. */
function estimateJsonTokens(text: string): number {
	return estimateTokens(JSON.stringify(text));
}

/** Returns the words as one line without characters that are invisible or could end the section. */
function cleanCapabilityText(words: string): string {
	return words.replaceAll(/[\p{C}\p{Z}<>]+/gu, ' ').trim();
}

/** Between two characters, and between two words where one ends in the last third. */
function cutDescription(words: string, chars: number): string {
	// None is longer than two units.
	const characters = Array.from(words.slice(0, 2 * chars + 2));
	if (characters.length <= chars) {
		return words;
	}
	const kept = characters.slice(0, Math.max(0, chars - 1)).join('');
	const wordEnd = kept.lastIndexOf(' ');
	return `${(wordEnd > (kept.length * 2) / 3 ? kept.slice(0, wordEnd) : kept).trimEnd()}…`;
}
