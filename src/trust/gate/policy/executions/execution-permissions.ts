/** Permissions and databases of an execution, computed once, when it begins, and the permissions of any caller. */
import type { Caller, NamedDatabases } from '../../../../contract/ops/caller.ts';
import type { CapabilityManifest } from '../../../../protocol/capability/manifest.ts';
import {
	HARMLESS_PERMISSIONS,
	LEVEL_PERMISSIONS,
	type Permission,
	PERMISSIONS,
} from '../../../../protocol/ops/risk.ts';

/** Most permissions of a type, whatever a manifest asks for: a talent advises, so it can change nothing. */
const TYPE_PERMISSIONS: ReadonlyMap<string, readonly Permission[]> = new Map([
	['talent', ['llm', 'workspace.read', 'thread']],
]);

interface PermissionSources {
	readonly manifest: Pick<CapabilityManifest, 'type' | 'level' | 'permissions'>;
	/** Permissions that the person has granted this capability. */
	readonly grant: readonly Permission[];
	/** Permissions of the execution that started it; undefined: the user or the agent did. */
	readonly parent: ReadonlySet<Permission> | undefined;
	readonly isTrusted: boolean;
}

/** Level ∩ manifest ∩ grant ∩ parent ∩ trust. */
export function executionPermissions({
	manifest,
	grant,
	parent,
	isTrusted,
}: PermissionSources): ReadonlySet<Permission> {
	const sets = [
		LEVEL_PERMISSIONS[manifest.level],
		TYPE_PERMISSIONS.get(manifest.type) ?? PERMISSIONS,
		grant,
		isTrusted ? PERMISSIONS : HARMLESS_PERMISSIONS,
		...(parent === undefined ? [] : [[...parent]]),
	] as readonly (readonly Permission[])[];
	return new Set(manifest.permissions.filter((permission) => sets.every((set) => set.includes(permission))));
}

const allPermissions: ReadonlySet<Permission> = new Set(PERMISSIONS);

/**
 * Computes the most that a caller may ask for. The host derives it from the caller's identity; no field of a request
 * changes it.
 */
export function resolveCallerPermissions(caller: Caller): ReadonlySet<Permission> {
	switch (caller.kind) {
		case 'agent':
		case 'user':
			return allPermissions;
		case 'execution':
			return caller.permissions;
	}
}

/**
 * Databases that the manifest names, and of them no more than the parent may use, each with its path in the workspace.
 * Undefined: any database of the workspace, because neither names any.
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
