/** Where a capability of the user came from, as its installation recorded it: as long as its files are those that were installed. */
import { resolve } from 'node:path';
import { ScopeFolder } from './scope-folder.ts';

export interface InstalledFrom {
	/** Location of the index. */
	readonly index: string;
	/** Ed25519 key that has signed the package; absent: it was not signed. */
	readonly key?: string | undefined;
}

/**
 * Undefined for what was not installed, or changed since. A project's own record is not asked: whoever made the project wrote
 * it, so it proves nothing.
 */
export async function installedFrom(
	home: string,
	path: string,
	contentHash: string,
): Promise<InstalledFrom | undefined> {
	try {
		const folder = await ScopeFolder.at('global', home);
		const entries = Object.entries((await folder.readLock()).capabilities);
		const found = entries.find(
			([key, locked]) => resolve(folder.target(key)) === resolve(path) && locked.contentHash === contentHash,
		);
		return found === undefined ? undefined : { index: found[1].index, key: found[1].key };
	} catch {
		// A record that cannot be read vouches for nothing.
		return undefined;
	}
}
