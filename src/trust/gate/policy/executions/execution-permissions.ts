/** What an execution may ask for: level ∩ manifest ∩ grant ∩ parent ∩ trust, computed once, when it begins. */
import type { CapabilityManifest } from '../../../../protocol/manifest.ts';
import { PERMISSIONS, type Permission, type RiskLevel } from '../../../../protocol/ops/risk.ts';

/** Talking and counting: what remains without trust. */
const harmless = ['user', 'thread', 'crypto'] as const satisfies readonly Permission[];
const reading = [
	...harmless,
	'workspace.read',
	'editor',
	'git',
	'http',
	'capabilities',
	'llm',
] as const satisfies readonly Permission[];
const writing = [...reading, 'workspace.write', 'database', 'secrets'] as const satisfies readonly Permission[];

export const LEVEL_PERMISSIONS: { readonly [L in RiskLevel]: readonly Permission[] } = {
	SAFE: harmless,
	MONITORED: reading,
	CONTROLLED: writing,
	RESTRICTED: PERMISSIONS,
	PRIVILEGED: PERMISSIONS,
};

/** What a type is: a talent advises, so it can change nothing, whatever its manifest asks for. */
const TYPE_PERMISSIONS: ReadonlyMap<string, readonly Permission[]> = new Map([
	['talent', ['llm', 'workspace.read', 'thread']],
]);

interface PermissionSources {
	readonly manifest: Pick<CapabilityManifest, 'type' | 'level' | 'permissions'>;
	/** What the person has allowed this capability. */
	readonly grant: readonly Permission[];
	/** Of the execution that started it; undefined: the user or the agent did. */
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
		isTrusted ? PERMISSIONS : harmless,
		...(parent === undefined ? [] : [[...parent]]),
	] as readonly (readonly Permission[])[];
	return new Set(manifest.permissions.filter((permission) => sets.every((set) => set.includes(permission))));
}
