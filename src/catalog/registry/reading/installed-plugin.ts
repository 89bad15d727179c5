/** A plugin as it lies on the disk: what its file says, and what of it is there. */
import { join } from 'node:path';
import { MAX_MANIFEST_BYTES } from '../../../protocol/manifest/limits.ts';
import { PLUGIN_MANIFEST, PluginManifest } from '../../../protocol/plugin.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { readRegularFile, unlinkedPath } from '../../../machine/paths/reading/read-regular-file.ts';

/** Rejects as the system does where there is no such plugin. */
export async function installedPlugin(root: string): Promise<PluginManifest> {
	const path = await unlinkedPath(join(root, ...PLUGIN_MANIFEST.split('/')), root);
	const bytes = await readRegularFile(path, MAX_MANIFEST_BYTES);
	const read = PluginManifest.safeParse(JSON.parse(bytes.toString('utf8')));
	if (!read.success) {
		throw new Error(`${PLUGIN_MANIFEST}: ${formatSchemaProblems(read.error)}`);
	}
	return read.data;
}
