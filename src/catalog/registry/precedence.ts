/** Decides which of several items with the same name is in force. Pure. */
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../protocol/manifest/problem.ts';
import { text } from '../../protocol/text/text.ts';
import type { CapabilityLocation } from './sources/capability-source.ts';
import type { Layout } from './items.ts';
import { MAX_OVERRIDES } from './limits.ts';

interface Registered extends CapabilityLocation {
	readonly layout: Layout;
	readonly manifest: unknown;
	readonly problems: readonly ManifestProblem[];
}

type Ranked<Item> = Item & {
	readonly overrides: readonly CapabilityLocation[];
	readonly overriddenBy: CapabilityLocation | undefined;
};

/**
 * Ranks items of the same key: in the order given, a later one overrides an earlier one. An item that cannot be used
 * overrides none, and an item from a folder of Agent Skills, commands or prompts only takes a free name. Two items of the
 * same source get a warning for their author. A folder that was found in several places is one item.
 */
export function rankItems<Item extends Registered>(
	items: readonly Item[],
	keyOf: (item: Item) => string,
): Ranked<Item>[] {
	const usable = items.filter(({ manifest }) => manifest !== undefined);
	const isLast = ({ layout }: Item) => layout !== 'prowess' && layout !== 'codebolt';
	const all = [...usable.filter((item) => !isLast(item)).reverse(), ...usable.filter(isLast)];
	const kept = new Map<string, Item>();
	for (const item of all) {
		const place = `${keyOf(item)}\n${item.path}`;
		if (!kept.has(place)) kept.set(place, item);
	}
	const chains = Map.groupBy(kept.values(), keyOf);
	const again = new Set(all).difference(new Set(kept.values()));
	const rank = new Map(
		[...chains.values()].flatMap((chain) => chain.map((item, at) => [item, { chain, at }] as const)),
	);
	return items
		.filter((item) => !again.has(item))
		.map((item) => {
			const { chain, at } = rank.get(item) ?? { chain: [], at: 0 };
			const [winner] = chain;
			if (winner === undefined) {
				return { ...item, overrides: [], overriddenBy: undefined };
			}
			const above = chain[at - 1];
			const twin = above !== undefined && above.source === item.source && above.layout === item.layout;
			return {
				...item,
				overrides: chain.slice(at + 1, at + 1 + MAX_OVERRIDES).map(toCapabilityLocation),
				overriddenBy: item === winner ? undefined : toCapabilityLocation(winner),
				problems: twin ? [...item.problems, sameName(keyOf(item), above.path)] : item.problems,
			};
		});
}

function toCapabilityLocation({ path, source }: CapabilityLocation): CapabilityLocation {
	return { path, source };
}

function sameName(key: string, path: string): ManifestProblem {
	const words = text('there is another {key} in {path}, and that one is in force', { key, path });
	return manifestProblem('warning', words, createTopPlace(''));
}
