import type { InstalledRef } from '../../../catalog/marketplace/installed-versions.ts';
import type { InstalledCapability } from '../../../protocol/marketplace.ts';

/** What is installed, as the marketplace names it. */
export function installedRef({ name, type, scope, folder }: InstalledCapability): InstalledRef {
	return { name, type, scope, ...(folder === null ? {} : { folder }) };
}
