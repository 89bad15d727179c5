/**
 * The capabilities that are enabled, as the model reads of them with a thread's first message: by `type/name`, with what each
 * is for where room is left. A capability says of itself what it likes, so both are data: one line each, cleaned and cut.
 */
import type { CapabilitySummary } from '../../protocol/ops/capabilities.ts';
import { limits } from './limits.ts';
import { estimateTokens } from '../models/token-estimate.ts';

const HEAD = '<capabilities for="capability_start">\n';
const TAIL = '\n</capabilities>';

/** The workspace's go first: they were put there for this work. */
const rank = { project: 0, global: 1, 'built-in': 2 } as const;

/** Undefined when there are none. The same capabilities give the same bytes. `areAll`: false when there may be others. */
export function offeredCapabilities(capabilities: readonly CapabilitySummary[], areAll: boolean): string | undefined {
	if (capabilities.length === 0 && areAll) {
		return undefined;
	}
	const lines = [...capabilities]
		.sort((a, b) => rank[a.source] - rank[b.source] || compare(keyOf(a), keyOf(b)))
		// Each takes a token at least.
		.slice(0, limits.offeredCapabilitiesTokens)
		.map((each) => ({ name: `${cleaned(each.type)}/${cleaned(each.name)}`, about: cut(cleaned(each.description)) }));
	const rest = (named: number) => {
		const more = capabilities.length - named;
		return areAll ? (more > 0 ? [`and ${more} more: capability_list`] : []) : ['and more: capability_list'];
	};
	const named = lines.slice(
		0,
		fitting(lines.length, (count) => text(lines.slice(0, count), 0, rest(count))),
	);
	return text(
		named,
		fitting(named.length, (count) => text(named, count, rest(named.length))),
		rest(named.length),
	);
}

interface Line {
	readonly name: string;
	readonly about: string;
}

/** The first `described` of them with what they are for. */
function text(named: readonly Line[], described: number, rest: readonly string[]): string {
	const rows = named.map(({ name, about }, index) => (index < described && about !== '' ? `${name}: ${about}` : name));
	return `${HEAD}${[...rows, ...rest].join('\n')}${TAIL}`;
}

/** The most, up to `count`, that stay within the room. */
function fitting(count: number, made: (count: number) => string): number {
	let least = 0;
	let most = count;
	while (least < most) {
		const middle = Math.ceil((least + most) / 2);
		if (estimateTokens(JSON.stringify(made(middle))) <= limits.offeredCapabilitiesTokens) {
			least = middle;
		} else {
			most = middle - 1;
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

function cut(words: string): string {
	const characters = Array.from(words);
	return characters.length <= limits.offeredDescriptionChars
		? words
		: `${characters
				.slice(0, limits.offeredDescriptionChars - 1)
				.join('')
				.trimEnd()}…`;
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
