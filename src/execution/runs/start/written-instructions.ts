/** Instructions that a capability is written in, and the folder for data that they name. */
import { findPluginRoot, pluginDataFolder } from '../../../catalog/registry/reading/plugin-place.ts';
import type { PlacesPort } from '../../../contract/ports/ports.ts';
import { SKILL_FILES } from '../../../protocol/capability/manifest.ts';
import { POWER_FILES, TALENT_FILES } from '../../../protocol/execution/execution.ts';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import { textOfBytes } from '../../../catalog/registry/reading/manifest-files.ts';
import { namesPluginData } from '../../../protocol/manifest/filled-instructions.ts';

/** Returns the text of SKILL.md; undefined without such a file. Throws when the file is no text. */
export function instructionsIn(files: CapabilityFiles): string | undefined {
	return findFileText(files, SKILL_FILES);
}

/** Returns the text of the first file with instructions, whatever its type; undefined without such a file. */
export function bodyIn(files: CapabilityFiles): string | undefined {
	return findFileText(files, [...SKILL_FILES, ...POWER_FILES, ...TALENT_FILES]);
}

/**
 * Returns the folder for the data of a plugin, which need not exist yet, where the instructions of one of its parts name that.
 * Undefined for what is no part of a plugin, or does not name it.
 */
export function namedDataFolder(
	{ home }: Pick<PlacesPort, 'home'>,
	path: string,
	files: CapabilityFiles,
): string | undefined {
	const root = findPluginRoot(path);
	return root !== undefined && namesPluginData(bodyIn(files) ?? '') ? pluginDataFolder(home, root) : undefined;
}

function findFileText({ files }: CapabilityFiles, names: readonly string[]): string | undefined {
	const file = names.map((name) => files.find(({ path }) => path === name)).find((each) => each !== undefined);
	return file === undefined ? undefined : textOfBytes(file.bytes);
}
