/**
 * Risk levels: how much an op may cost the user if it goes wrong (seed 0, S0-08); and permissions: what a caller may
 * ask for.
 */
import * as z from '../text/zod.ts';

export const RISK_LEVELS = ['SAFE', 'MONITORED', 'CONTROLLED', 'RESTRICTED', 'PRIVILEGED'] as const;
export const RiskLevel = z.enum(RISK_LEVELS);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Negative when `a` is below `b`, 0 when equal, positive when above. */
export function compareRisk(a: RiskLevel, b: RiskLevel): number {
	return RISK_LEVELS.indexOf(a) - RISK_LEVELS.indexOf(b);
}

export function lowerRisk(a: RiskLevel, b: RiskLevel): RiskLevel {
	return compareRisk(a, b) <= 0 ? a : b;
}

export const PERMISSIONS = [
	'workspace.read',
	'workspace.write',
	'shell',
	'editor',
	'git',
	'user',
	'thread',
	'http',
	'secrets',
	'database',
	'crypto',
	'capabilities',
	'llm',
	'mcp',
	'memory',
] as const;
export const Permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof Permission>;

/** Talking and counting: what remains without trust. */
export const HARMLESS_PERMISSIONS = ['user', 'thread', 'crypto'] as const satisfies readonly Permission[];
const readingPermissions = [
	...HARMLESS_PERMISSIONS,
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

/** Permissions that a capability of each level can have at most. */
export const LEVEL_PERMISSIONS: { readonly [L in RiskLevel]: readonly Permission[] } = {
	SAFE: HARMLESS_PERMISSIONS,
	MONITORED: readingPermissions,
	CONTROLLED: writing,
	RESTRICTED: PERMISSIONS,
	PRIVILEGED: PERMISSIONS,
};
