/** "Did you mean": names like the one that was not found. */
import { editDistance } from '../../../base/text/near-names.ts';
import { fold } from './name-rules.ts';
import { NEAR_NAMES } from '../limits.ts';

/** The best first; none that is far off. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
	const target = fold(wanted);
	const farthest = Math.max(2, Math.floor(target.length / 3));
	return names
		.map((name) => ({ name, distance: distance(target, fold(name), farthest) }))
		.filter((candidate) => candidate.distance <= farthest)
		.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
		.slice(0, NEAR_NAMES)
		.map((candidate) => candidate.name);
}

/** Another extension counts as one step. */
function distance(a: string, b: string, most: number): number {
	const stem = (name: string) => name.replace(/(?<=.)\.[^.]*$/u, '');
	return a !== b && stem(a) === stem(b) ? 1 : editDistance(a, b, most);
}
