/** A plugin as it lies on the disk: what its file says, and what of it is there. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_MANIFEST_BYTES } from '../../../protocol/manifest/limits.ts';
import { PLUGIN_MANIFEST, PluginManifest } from '../../../protocol/plugin.ts';
import { problemsOf } from '../../../protocol/text/schema-problem.ts';

/** Rejects as the system does where there is no such plugin. */
export async function installedPlugin(root: string): Promise<PluginManifest> {
	const path = join(root, ...PLUGIN_MANIFEST.split('/'));
	await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
	const { size } = await file.stat();
	if (size > MAX_MANIFEST_BYTES) {
		throw new Error(`${PLUGIN_MANIFEST}: ${size} bytes, the limit is ${MAX_MANIFEST_BYTES}`);
	}
	const read = PluginManifest.safeParse(JSON.parse(await file.readFile('utf8')));
	if (!read.success) {
		throw new Error(`${PLUGIN_MANIFEST}: ${problemsOf(read.error)}`);
	}
	return read.data;
}
