/** Which databases an execution may use: those its manifest names, and of them no more than its parent may. */
import type { NamedDatabases } from '../../../../contract/ops/caller.ts';

/**
 * Returns the allowed databases by name, each with its path in the workspace. Undefined: any database of the workspace,
 * because neither names any.
 */
export function executionDatabases(
	manifest: NamedDatabases | undefined,
	parent: NamedDatabases | undefined,
): NamedDatabases | undefined {
	if (manifest === undefined || parent === undefined) {
		return manifest ?? parent;
	}
	const allowed = new Set(Object.values(parent));
	return Object.fromEntries(Object.entries(manifest).filter(([, path]) => allowed.has(path)));
}
