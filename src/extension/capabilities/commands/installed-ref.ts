import type { InstalledRef } from '../../../catalog/marketplace/installed-versions.ts';
import type { InstalledCapability } from '../../../protocol/marketplace.ts';

/** Names an installed package the way the marketplace does. */
export function installedRef({ name, type, scope, folder }: InstalledCapability): InstalledRef {
	return { name, type, scope, ...(folder === null ? {} : { folder }) };
}
