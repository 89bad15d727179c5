/** Computes the permissions of an execution: level ∩ manifest ∩ grant ∩ parent ∩ trust, once, when it begins. */
import type { CapabilityManifest } from '../../../../protocol/manifest.ts';
import { PERMISSIONS, type Permission, type RiskLevel } from '../../../../protocol/ops/risk.ts';

/** Talking and counting: what remains without trust. */
const harmlessPermissions = ['user', 'thread', 'crypto'] as const satisfies readonly Permission[];
const readingPermissions = [
	...harmlessPermissions,
	'workspace.read',
	'editor',
	'git',
	'http',
	'capabilities',
	'llm',
] as const satisfies readonly Permission[];
const writing = [
	...readingPermissions,
	'workspace.write',
	'database',
	'secrets',
] as const satisfies readonly Permission[];

export const LEVEL_PERMISSIONS: { readonly [L in RiskLevel]: readonly Permission[] } = {
	SAFE: harmlessPermissions,
	MONITORED: readingPermissions,
	CONTROLLED: writing,
	RESTRICTED: PERMISSIONS,
	PRIVILEGED: PERMISSIONS,
};

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
		isTrusted ? PERMISSIONS : harmlessPermissions,
		...(parent === undefined ? [] : [[...parent]]),
	] as readonly (readonly Permission[])[];
	return new Set(manifest.permissions.filter((permission) => sets.every((set) => set.includes(permission))));
}
