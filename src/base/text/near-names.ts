/** "Did you mean": names like the one that is not known. */

const MAX_NEAR_NAMES = 3;

/** The best first, at most three; none that is far off. */
export function findNearNames(wanted: string, names: readonly string[]): string[] {
	const target = wanted.toLowerCase();
	const farthest = Math.max(1, Math.floor(target.length / 3));
	return names
		.map((name) => ({ name, distance: computeEditDistance(target, name.toLowerCase(), farthest) }))
		.filter((candidate) => candidate.distance <= farthest)
		.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
		.slice(0, MAX_NEAR_NAMES)
		.map((candidate) => candidate.name);
}

/** Edit distance; anything above `most` may come out as `most + 1`. */
export function computeEditDistance(a: string, b: string, most: number): number {
	if (Math.abs(a.length - b.length) > most) {
		return most + 1;
	}
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? most + 1;
}
