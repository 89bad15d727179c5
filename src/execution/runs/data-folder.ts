/** Folder for what a plugin keeps, for a part of it whose instructions name that. */
import { namesPluginData } from '../../protocol/manifest/filled-instructions.ts';
import type { CapabilityFiles } from '../../catalog/capability-files.ts';
import { pluginDataFolder, findPluginRoot } from '../../catalog/registry/reading/plugin-place.ts';
import type { PlacesPort } from '../../contract/ports/ports.ts';
import { bodyIn } from './loading/written-instructions.ts';

/** Where it is or will be; undefined for what is no part of a plugin, or does not name it. */
export function namedDataFolder(
	{ home }: Pick<PlacesPort, 'home'>,
	path: string,
	files: CapabilityFiles,
): string | undefined {
	const root = findPluginRoot(path);
	return root !== undefined && namesPluginData(bodyIn(files) ?? '') ? pluginDataFolder(home, root) : undefined;
}
