/**
 * Computes the most that a caller may ask for. The host derives it from the caller's identity; no field of a request
 * changes it.
 */
import { PERMISSIONS, type Permission } from '../../../../protocol/ops/risk.ts';
import type { Caller } from '../../../../contract/ops/caller.ts';

const allPermissions: ReadonlySet<Permission> = new Set(PERMISSIONS);

export function resolveCallerPermissions(caller: Caller): ReadonlySet<Permission> {
	switch (caller.kind) {
		case 'agent':
		case 'user':
			return allPermissions;
		case 'execution':
			return caller.permissions;
	}
}
