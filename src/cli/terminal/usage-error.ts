/** The command line cannot be meant. Exit code 2; the message says what was given and what would have been taken. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

export function isUsageError(value: unknown): value is UsageError {
	// A bundle that is loaded late has a class of its own.
	return value instanceof Error && value.name === 'UsageError';
}

/** `; did you mean "…"?` when one of the names is near, else nothing. */
export function didYouMean(given: string, names: readonly string[]): string {
	const best = names
		.map((name) => ({ name, distance: countTypoEdits(given.toLowerCase(), name.toLowerCase()) }))
		.sort((a, b) => a.distance - b.distance)[0];
	return best !== undefined && best.distance <= Math.max(1, Math.floor(best.name.length / 3))
		? `; did you mean "${best.name}"?`
		: '';
}

/** Letters to insert, delete, replace or swap with their neighbour. */
function countTypoEdits(a: string, b: string): number {
	let before: number[] = [];
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= b.length; j += 1) {
			const cost = a[i - 1] === b[j - 1] ? 0 : 1;
			const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			next.push(
				Math.min(
					readDistance(row, j) + 1,
					readDistance(next, j - 1) + 1,
					readDistance(row, j - 1) + cost,
					swapped ? readDistance(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
				),
			);
		}
		before = row;
		row = next;
	}
	return readDistance(row, b.length);
}

function readDistance(row: readonly number[], index: number): number {
	return row[index] ?? Number.POSITIVE_INFINITY;
}
