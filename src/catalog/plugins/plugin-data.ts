/**
 * Data that a plugin keeps from one start to the next, in a folder of its own beside all installed files. An update
 * leaves the data, and the user decides whether removing the plugin removes it.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginData } from '../../protocol/capability/marketplace.ts';
import { findErrno } from '../../machine/paths/file-error.ts';
import { forceRemoveFolder } from '../../machine/home-files/remove-entries.ts';
import { DATA_FILES } from '../limits.ts';
import { pluginDataFolder } from '../registry/reading/plugin-place.ts';

/** Undefined where it keeps nothing. */
export async function keptPluginData(home: string, root: string): Promise<PluginData | undefined> {
	const path = pluginDataFolder(home, root);
	let files = 0;
	let bytes = 0;
	let folders = [path];
	while (folders.length > 0 && files < DATA_FILES) {
		const next: string[] = [];
		for (const folder of folders) {
			for (const entry of await listDataEntries(folder)) {
				const at = join(folder, entry.name);
				if (entry.isDirectory()) {
					next.push(at);
				} else {
					files += 1;
					bytes += entry.isFile() ? (await stat(at).catch(() => ({ size: 0 }))).size : 0;
				}
			}
		}
		folders = next;
	}
	return files === 0 ? undefined : { path, files, bytes };
}

/** Never rejects: what cannot be removed stays. */
export async function removePluginData(home: string, root: string): Promise<void> {
	await forceRemoveFolder(pluginDataFolder(home, root));
}

async function listDataEntries(folder: string) {
	try {
		return await readdir(folder, { withFileTypes: true });
	} catch (error) {
		if (findErrno(error) === 'ENOENT' || findErrno(error) === 'EACCES') return [];
		throw error;
	}
}
