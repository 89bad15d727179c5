/** Compares two versions: the permissions, the risk level and the files that an update would change. */
import type { LockedVersion, UpdateDiff } from '../../protocol/capability/marketplace.ts';
import { compareRisk } from '../../protocol/ops/risk.ts';

type Version = Pick<LockedVersion, 'version' | 'permissions' | 'level' | 'files'>;

export function diffVersions(from: Version, to: Version): UpdateDiff {
	const listPaths = (version: Version) => Object.keys(version.files);
	return {
		from: from.version,
		to: to.version,
		permissions: diffLists(from.permissions, to.permissions),
		level: { from: from.level, to: to.level },
		files: {
			...diffLists(listPaths(from), listPaths(to)),
			changed: listPaths(to).filter((path) => Object.hasOwn(from.files, path) && from.files[path] !== to.files[path]),
		},
	};
}

/** True when the new version may do more: further permissions or a higher risk level. */
export function isWiderUpdate({ permissions, level }: Pick<UpdateDiff, 'permissions' | 'level'>): boolean {
	return permissions.added.length > 0 || compareRisk(level.to, level.from) > 0;
}

function diffLists(from: readonly string[], to: readonly string[]): { added: string[]; removed: string[] } {
	return {
		added: to.filter((each) => !from.includes(each)).sort(),
		removed: from.filter((each) => !to.includes(each)).sort(),
	};
}
