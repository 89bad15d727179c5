/** Where the steps of a goal stand in its graph: a column for each step that the longest way to it passes. */

interface LaidOutStep {
	readonly number: number;
	readonly column: number;
	/** In its column, from the top. */
	readonly row: number;
}

/**
 * Places the steps, which come in the order of their numbers. A step that waits for a missing step, or in a circle, is
 * placed where possible.
 */
export function layOut(
	steps: readonly { readonly number: number; readonly after: readonly number[] }[],
): LaidOutStep[] {
	const columns = new Map<number, number>();
	for (let round = 0; round < steps.length; round += 1) {
		for (const { number, after } of steps) {
			const before = after.map((other) => columns.get(other) ?? -1);
			columns.set(number, Math.min(steps.length - 1, Math.max(-1, ...before) + 1));
		}
	}
	const filled = new Map<number, number>();
	return steps.map(({ number }) => {
		const column = columns.get(number) ?? 0;
		const row = filled.get(column) ?? 0;
		filled.set(column, row + 1);
		return { number, column, row };
	});
}
