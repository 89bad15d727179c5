/** Tells whether a file with several names is secret by another one of them in the workspace. */
import type { GuardedPlace } from './guarded-place.ts';
import { GuardedPlaces } from './guarded-places.ts';

/** Time for which what was found counts: no command can give a secret file another name, only the user. */
const FOUND_MS = 2_000;

interface FoundPlaces {
	readonly atMs: number;
	readonly places: readonly GuardedPlace[];
}

/** `realRoot`, `realPath`: free of links. */
export function createOtherNames(): (realRoot: string, realPath: string) => boolean {
	const guarded = new GuardedPlaces();
	const known = new Map<string, FoundPlaces>();
	return (realRoot, realPath) => {
		const before = known.get(realRoot);
		const isFresh = before !== undefined && performance.now() - before.atMs < FOUND_MS;
		const { places } = isFresh ? before : { places: guarded.find(realRoot) };
		if (!isFresh) known.set(realRoot, { atMs: performance.now(), places });
		return places.some(({ path, isSecret }) => isSecret && path === realPath);
	};
}
