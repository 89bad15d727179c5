/**
 * Guards files with several names (hard links), each of which changes what the others hold: a second name of a secret file
 * is as secret, one of a protected file as protected, and a file with a name that the search did not come by may lie
 * outside of the workspace too, so it is read-only. Pure.
 */
import type { GuardedPlace } from './guarded-place.ts';

export interface ManyNamedFile {
	/** Absolute. */
	readonly path: string;
	/** Number of the disk, and of the file on it. */
	readonly file: string;
	/** Number of names that the file has. */
	readonly names: number;
	/** True in a secret folder, which is hidden with all that lies in it. */
	readonly isHidden?: boolean;
}

/** Returns the places to guard besides those in `guarded`. `named`: all names that were found of files with several. */
export function guardSecondNames(named: readonly ManyNamedFile[], guarded: readonly GuardedPlace[]): GuardedPlace[] {
	// The other name may be that of a secret file there.
	const isAnyClosed = guarded.some(({ isClosed }) => isClosed === true);
	const byPath = new Map(guarded.map((place) => [place.path, place]));
	return [...Map.groupBy(named, ({ file }) => file).values()].flatMap((group) => {
		const known = group.flatMap(({ path }) => byPath.get(path) ?? []);
		const isElsewhere = group.length < (group[0]?.names ?? 0);
		const isSecret =
			known.some((place) => place.isSecret) ||
			group.some(({ isHidden }) => isHidden === true) ||
			(isElsewhere && isAnyClosed);
		const isSteering = known.some((place) => place.isProtected);
		if (!isSecret && !isSteering && !isElsewhere) return [];
		return group
			.filter(({ path, isHidden }) => !byPath.has(path) && isHidden !== true)
			.map(({ path }) => ({
				path,
				kind: 'file',
				isSecret,
				isProtected: true,
				isRepository: false,
				isSecondName: true,
			}));
	});
}
