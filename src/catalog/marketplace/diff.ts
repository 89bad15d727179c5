/** Compares two versions: the permissions, the risk level and the files that an update would change. */
import type { LockedVersion, UpdateDiff } from '../../protocol/marketplace.ts';
import { compareRisk } from '../../protocol/ops/risk.ts';

type Version = Pick<LockedVersion, 'version' | 'permissions' | 'level' | 'files'>;

export function diffOf(from: Version, to: Version): UpdateDiff {
	const paths = (version: Version) => Object.keys(version.files);
	return {
		from: from.version,
		to: to.version,
		permissions: added(from.permissions, to.permissions),
		level: { from: from.level, to: to.level },
		files: {
			...added(paths(from), paths(to)),
			changed: paths(to).filter((path) => Object.hasOwn(from.files, path) && from.files[path] !== to.files[path]),
		},
	};
}

/** True when the new version may do more: further permissions or a higher risk level. */
export function isWider({ permissions, level }: Pick<UpdateDiff, 'permissions' | 'level'>): boolean {
	return permissions.added.length > 0 || compareRisk(level.to, level.from) > 0;
}

function added(from: readonly string[], to: readonly string[]): { added: string[]; removed: string[] } {
	return {
		added: to.filter((each) => !from.includes(each)).sort(),
		removed: from.filter((each) => !to.includes(each)).sort(),
	};
}
