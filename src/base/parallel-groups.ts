/** Work side by side, with the results in the order of what was given. */

/**
 * Several calls, one after the other, where neighbours of one group run side by side. Each has its own end: that one fails
 * touches no other. `groupOf` undefined: alone. At most `atOnce` of a group run at a time. Never rejects.
 */
export async function inParallelGroups<C, R>(
	calls: readonly C[],
	groupOf: (call: C) => string | undefined,
	run: (call: C) => Promise<R>,
	atOnce = Number.POSITIVE_INFINITY,
): Promise<PromiseSettledResult<R>[]> {
	const results: PromiseSettledResult<R>[] = [];
	for (const group of groupNeighborCalls(calls, groupOf)) {
		results.push(...(await sideBySide(group, run, atOnce)));
	}
	return results;
}

function groupNeighborCalls<C>(calls: readonly C[], groupOf: (call: C) => string | undefined): C[][] {
	const groups: C[][] = [];
	let open: string | undefined;
	for (const call of calls) {
		const group = groupOf(call);
		if (group !== undefined && group === open) {
			groups.at(-1)?.push(call);
		} else {
			groups.push([call]);
		}
		open = group;
	}
	return groups;
}

async function sideBySide<C, R>(
	calls: readonly C[],
	run: (call: C) => Promise<R>,
	atOnce: number,
): Promise<PromiseSettledResult<R>[]> {
	const results: PromiseSettledResult<R>[] = [];
	const left = calls.entries();
	const takeTurns = async () => {
		for (const [index, call] of left) {
			// Settles work that throws synchronously like work that rejects.
			const [settled] = await Promise.allSettled([Promise.resolve().then(() => run(call))]);
			results[index] = settled;
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, calls.length) }, takeTurns));
	return results;
}

/** Works on all, so many at a time; the results are in the order of the items. */
export async function inParallel<Item, Result>(
	items: readonly Item[],
	width: number,
	work: (item: Item) => Promise<Result> | Result,
): Promise<Result[]> {
	const results: Result[] = [];
	let next = 0;
	const takeItems = async () => {
		while (next < items.length) {
			const at = next;
			next += 1;
			const result = work(items[at] as Item);
			// Does not await results that are there at once.
			results[at] = result instanceof Promise ? await result : result;
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, items.length) }, takeItems));
	return results;
}
