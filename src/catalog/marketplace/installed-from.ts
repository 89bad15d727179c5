/** Where a capability of the user, or the plugin that it is a part of, came from, as its installation recorded it: as long as its files are those that were installed. */
import { resolve } from 'node:path';
import { findPluginRoot } from '../registry/reading/plugin-place.ts';
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
	const installed = resolve(findPluginRoot(path) ?? path);
	try {
		const folder = await ScopeFolder.at('global', home);
		const entries = Object.entries((await folder.readLock()).capabilities);
		const found = entries.find(
			([key, locked]) => resolve(folder.target(key)) === installed && locked.contentHash === contentHash,
		);
		return found === undefined ? undefined : { index: found[1].index, key: found[1].key };
	} catch {
		// A record that cannot be read vouches for nothing.
		return undefined;
	}
}
