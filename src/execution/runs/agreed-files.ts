/**
 * Files that the user agrees to with a capability, and that are copied to be run: its own files or, for a part of a
 * plugin, all files of the plugin, since its instructions and programs may name any of them.
 */
import { relative } from 'node:path';
import { type CapabilityFiles, readCapabilityFiles } from '../../catalog/capability-files.ts';
import { findPluginRoot } from '../../catalog/registry/reading/plugin-place.ts';

interface AgreedFiles {
	/** Files in the capability's own folder alone. */
	readonly own: CapabilityFiles;
	readonly whole: CapabilityFiles;
	/** Where in `whole` its folder lies; undefined: it is all of it, and no part of a plugin. */
	readonly below: string | undefined;
}

/** Reads the files afresh. Rejects as `readCapabilityFiles` does. */
export async function readAgreedFiles(path: string): Promise<AgreedFiles> {
	const own = await readCapabilityFiles(path);
	const root = findPluginRoot(path);
	return root === undefined
		? { own, whole: own, below: undefined }
		: { own, whole: await readCapabilityFiles(root), below: relative(root, path) };
}
