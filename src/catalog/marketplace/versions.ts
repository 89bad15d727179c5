/** Order of versions. A manifest may say "2" or "1.0"; those count as what they begin with. */
import semver from 'semver';

export function compareVersions(a: string, b: string): number {
	return semver.compare(normalizeVersion(a), normalizeVersion(b)) || (a < b ? -1 : a > b ? 1 : 0);
}

function normalizeVersion(version: string): string {
	return semver.valid(version, { loose: true }) ?? semver.coerce(version)?.version ?? '0.0.0';
}
