/** Which capabilities and executors count while some are switched off: what is off takes the place of nothing. Pure. */
import type { IsOff, CapabilityLocation } from './capability-source.ts';
import { type CapabilityItem, type ExecutorItem, isInForce } from '../items.ts';

export type ShownItem<Item> = Item & { readonly isOff: boolean };

/**
 * Returns for each name the item that counts, followed by those that would go before it if they were on; where all are
 * off, all of them. `overrides` holds the enabled items that the counting one overrides.
 */
export function itemsWhile<Item extends CapabilityItem | ExecutorItem>(
	items: readonly Item[],
	isOff: IsOff,
): ShownItem<Item>[] {
	const byPath = new Map(items.filter(({ manifest }) => manifest !== undefined).map((item) => [item.path, item]));
	return items.filter(isInForce).flatMap((first) => {
		const chain = [first, ...first.overrides.flatMap(({ path }) => byPath.get(path) ?? [])];
		const at = chain.findIndex(({ path }) => !isOff(path));
		const off = (at === -1 ? chain : chain.slice(0, at)).map((item) => toShownItem(item, true, []));
		const counting = chain[at];
		if (counting === undefined) {
			return off;
		}
		const overrides = chain.slice(at + 1).filter(({ path }) => !isOff(path));
		return [toShownItem(counting, false, overrides), ...off];
	});
}

function toShownItem<Item extends CapabilityItem | ExecutorItem>(
	item: Item,
	isOff: boolean,
	overridden: readonly CapabilityLocation[],
): ShownItem<Item> {
	const overrides = overridden.map(({ path, source }) => ({ path, source }));
	return Object.assign({ ...item, overrides, overriddenBy: undefined }, { isOff });
}
