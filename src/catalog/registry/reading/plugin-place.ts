/**
 * Places of plugins, and how a path tells that it is a part of one. Most functions look at the path alone;
 * `pluginPlaces` lists folders, and `installedPlugin` reads a file.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegularFile, unlinkedPath } from '../../../machine/paths/reading/read-regular-file.ts';
import { MAX_MANIFEST_BYTES } from '../../../protocol/capability/limits.ts';
import { nameInPlugin, PLUGIN_MANIFEST, PluginManifest, PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';

export interface PluginPlace {
	/** Absolute. */
	readonly root: string;
	readonly name: string;
	/** Folder of the workspace that it lies in; undefined: it is the user's. */
	readonly folder: string | undefined;
}

const PART = /^(.*[/\\]capabilities[/\\]plugins[/\\][^/\\]+)(?:[/\\].*)?$/;

/** Returns the root of the plugin that a path is, or is a part of; undefined outside plugins. */
export function findPluginRoot(path: string): string | undefined {
	return PART.exec(path)?.[1];
}

/**
 * Returns the folder that a plugin keeps its data in. For a plugin of the user it has the plugin's name; for one in a
 * workspace also a hash of its root, which tells it from the plugin of another workspace.
 */
export function pluginDataFolder(home: string, root: string): string {
	const name = basename(root);
	const isOfUser = root === join(home, 'capabilities', PLUGINS_FOLDER, name);
	const place = isOfUser ? name : `${name}@${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
	return join(home, 'plugin-data', place);
}

/** Returns the name of a folder from its path: prefixed by its plugin's name when it is a part of one. */
export function placedName(path: string): string {
	const root = findPluginRoot(path);
	return root === undefined || root === path ? basename(path) : nameInPlugin(basename(root), basename(path));
}

/** All that are installed for the user and in a trusted workspace, the user's first, whether enabled or not. */
export function pluginPlaces(
	{ home }: Pick<PlacesPort, 'home'>,
	{ folders, isTrusted }: Pick<WorkspacePort, 'folders' | 'isTrusted'>,
): readonly PluginPlace[] {
	const listPlacesBelow = (base: string, folder: string | undefined) =>
		listPluginNames(join(base, 'capabilities', PLUGINS_FOLDER)).map((name) => ({
			root: join(base, 'capabilities', PLUGINS_FOLDER, name),
			name,
			folder,
		}));
	return [
		...listPlacesBelow(home, undefined),
		...(isTrusted ? folders : []).flatMap(({ path }) => listPlacesBelow(join(path, '.prowess'), path)),
	];
}

/** Names of parts that can be switched off by themselves, as the place that stands for each. */
export function partPlace(root: string, kind: 'hooks' | 'server', name = ''): string {
	return join(root, 'prowess-plugin', 'parts', kind, name);
}

function listPluginNames(folder: string): string[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => name)
			.sort();
	} catch {
		return [];
	}
}

/** Manifest of a plugin as it lies on the disk. Rejects as the system does where there is no such plugin. */
export async function installedPlugin(root: string): Promise<PluginManifest> {
	const path = await unlinkedPath(join(root, ...PLUGIN_MANIFEST.split('/')), root);
	const bytes = await readRegularFile(path, MAX_MANIFEST_BYTES);
	const read = PluginManifest.safeParse(JSON.parse(bytes.toString('utf8')));
	if (!read.success) {
		throw new Error(`${PLUGIN_MANIFEST}: ${formatSchemaProblems(read.error)}`);
	}
	return read.data;
}
