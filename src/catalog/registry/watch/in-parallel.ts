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
