/**
 * What is agreed to with a capability, and copied to be run: its own files or, of one that is a part of a plugin, all files of
 * the plugin, since its instructions and programs may name any of them.
 */
import { relative } from 'node:path';
import { type CapabilityFiles, readCapabilityFiles } from '../../catalog/capability-files.ts';
import { pluginRootOf } from '../../catalog/registry/reading/plugin-place.ts';

interface AgreedFiles {
	/** Of the folder of the capability alone. */
	readonly own: CapabilityFiles;
	readonly whole: CapabilityFiles;
	/** Where in `whole` its folder lies; undefined: it is all of it, and no part of a plugin. */
	readonly below: string | undefined;
}

/** As they are now. Rejects as `readCapabilityFiles` does. */
export async function readAgreedFiles(path: string): Promise<AgreedFiles> {
	const own = await readCapabilityFiles(path);
	const root = pluginRootOf(path);
	return root === undefined
		? { own, whole: own, below: undefined }
		: { own, whole: await readCapabilityFiles(root), below: relative(root, path) };
}
