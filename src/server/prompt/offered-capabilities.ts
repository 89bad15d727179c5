/**
 * The capabilities that are enabled, as the model reads of them with a thread's first message: by `type/name`, with what each
 * is for. A capability describes itself as it likes, so both are data: one line each, cleaned. What each says is whole where all
 * of them fit; else each is cut to the same length, and where even that is too much, some are left to `capability_list`.
 */
import type { CapabilitySummary } from '../../protocol/ops/capabilities.ts';
import { limits } from './limits.ts';
import { estimateTokens } from '../models/token-estimate.ts';

const HEAD = '<capabilities for="capability_start">\n';
const TAIL = '\n</capabilities>';

/** The workspace's go first: they were put there for this work. */
const SOURCES = ['project', 'global', 'built-in'] as const;

interface Line {
	readonly name: string;
	readonly about: string;
}

/** Undefined when there are none. The same capabilities give the same bytes. `areAll`: false when there may be others. */
export function offeredCapabilities(capabilities: readonly CapabilitySummary[], areAll: boolean): string | undefined {
	if (capabilities.length === 0 && areAll) {
		return undefined;
	}
	const sorted = inOrder(capabilities);
	// Each takes a token at least.
	const turns = byTurns(sorted).slice(0, limits.offeredCapabilitiesTokens);
	const lines = new Map(turns.map((each) => [each, lineOf(each)]));
	const shown = (count: number, chars: number) => {
		const named = new Set(turns.slice(0, count));
		const rows = sorted.filter((each) => named.has(each)).flatMap((each) => lines.get(each) ?? []);
		return section(rows, chars, restOf(capabilities.length - count, areAll));
	};
	const count = most(turns.length, (each) => shown(each, limits.leastDescriptionChars));
	const chars =
		count < turns.length
			? limits.leastDescriptionChars
			: most(limits.mostDescriptionChars, (each) => shown(count, each));
	return shown(count, Math.max(chars, limits.leastDescriptionChars));
}

/** In the order in which they are given up last: one of each source in turn, so that many of one leave room for the others. */
function byTurns(sorted: readonly CapabilitySummary[]): readonly CapabilitySummary[] {
	const queues = SOURCES.map((source) => sorted.filter((each) => each.source === source));
	const longest = Math.max(...queues.map(({ length }) => length));
	return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue.slice(at, at + 1))).flat();
}

function inOrder(capabilities: readonly CapabilitySummary[]): CapabilitySummary[] {
	return [...capabilities].sort(
		(a, b) => SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source) || compare(keyOf(a), keyOf(b)),
	);
}

function lineOf({ type, name, description }: CapabilitySummary): Line {
	return { name: `${cleaned(type)}/${cleaned(name)}`, about: cleaned(description) };
}

function restOf(more: number, areAll: boolean): readonly string[] {
	if (areAll && more === 0) {
		return [];
	}
	return [`and ${areAll ? `${more} ` : ''}more: capability_list with a query finds them`];
}

function section(lines: readonly Line[], chars: number, rest: readonly string[]): string {
	const rows = lines.map(({ name, about }) => (about === '' ? name : `${name}: ${cut(about, chars)}`));
	return `${HEAD}${[...rows, ...rest].join('\n')}${TAIL}`;
}

/** The most, up to `bound`, with which the text stays within its room. */
function most(bound: number, made: (value: number) => string): number {
	let least = 0;
	let highest = bound;
	while (least < highest) {
		const middle = Math.ceil((least + highest) / 2);
		if (estimateTokens(JSON.stringify(made(middle))) <= limits.offeredCapabilitiesTokens) {
			least = middle;
		} else {
			highest = middle - 1;
		}
	}
	return least;
}

function keyOf({ type, name }: Pick<CapabilitySummary, 'type' | 'name'>): string {
	return `${type}/${name}`;
}

/** One line without what is invisible or could be taken for the end of the section. */
function cleaned(words: string): string {
	return words.replaceAll(/[\p{C}\p{Z}<>]+/gu, ' ').trim();
}

/** Between two characters, and between two words where one ends in the last third. */
function cut(words: string, chars: number): string {
	// None is longer than two units.
	const characters = Array.from(words.slice(0, 2 * chars + 2));
	if (characters.length <= chars) {
		return words;
	}
	const kept = characters.slice(0, Math.max(0, chars - 1)).join('');
	const wordEnd = kept.lastIndexOf(' ');
	return `${(wordEnd > (kept.length * 2) / 3 ? kept.slice(0, wordEnd) : kept).trimEnd()}…`;
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
