/** "Did you mean": names like the one that was not found. */
import { computeEditDistance } from '../../../base/text/near-names.ts';
import { foldName } from './name-rules.ts';
import { NEAR_NAMES } from '../limits.ts';

/** The best first; none that is far off. */
export function findNearFileNames(wanted: string, names: readonly string[]): string[] {
	const target = foldName(wanted);
	const farthest = Math.max(2, Math.floor(target.length / 3));
	return names
		.map((name) => ({ name, distance: computeNameDistance(target, foldName(name), farthest) }))
		.filter((candidate) => candidate.distance <= farthest)
		.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
		.slice(0, NEAR_NAMES)
		.map((candidate) => candidate.name);
}

/** Another extension counts as one step. */
function computeNameDistance(a: string, b: string, most: number): number {
	const stripExtension = (name: string) => name.replace(/(?<=.)\.[^.]*$/u, '');
	return a !== b && stripExtension(a) === stripExtension(b) ? 1 : computeEditDistance(a, b, most);
}
