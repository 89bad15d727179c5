/** Where plugins lie, and what of a path says that it is a part of one. Of paths alone: nothing is read. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nameInPlugin, PLUGINS_FOLDER } from '../../../protocol/plugin.ts';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';

export interface PluginPlace {
	/** Absolute. */
	readonly root: string;
	readonly name: string;
	/** Folder of the workspace that it lies in; undefined: it is the user's. */
	readonly folder: string | undefined;
}

const PART = /^(.*[/\\]capabilities[/\\]plugins[/\\][^/\\]+)(?:[/\\].*)?$/;

/** Of a plugin, or of a part of one. */
export function pluginRootOf(path: string): string | undefined {
	return PART.exec(path)?.[1];
}

/**
 * Folder that a plugin keeps its data in. Of a plugin of the user it has the plugin's name; of one in a workspace also what
 * tells it from that of another workspace.
 */
export function pluginDataFolder(home: string, root: string): string {
	const name = basename(root);
	const isOfUser = root === join(home, 'capabilities', PLUGINS_FOLDER, name);
	const place = isOfUser ? name : `${name}@${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
	return join(home, 'plugin-data', place);
}

/** What a folder is called where it lies: with its plugin, if it is a part of one. */
export function placedName(path: string): string {
	const root = pluginRootOf(path);
	return root === undefined || root === path ? basename(path) : nameInPlugin(basename(root), basename(path));
}

/** All that are installed for the user and in a trusted workspace, the user's first, whether enabled or not. */
export function pluginPlaces(
	{ home }: Pick<PlacesPort, 'home'>,
	{ folders, isTrusted }: Pick<WorkspacePort, 'folders' | 'isTrusted'>,
): readonly PluginPlace[] {
	const below = (base: string, folder: string | undefined) =>
		namesIn(join(base, 'capabilities', PLUGINS_FOLDER)).map((name) => ({
			root: join(base, 'capabilities', PLUGINS_FOLDER, name),
			name,
			folder,
		}));
	return [
		...below(home, undefined),
		...(isTrusted ? folders : []).flatMap(({ path }) => below(join(path, '.prowess'), path)),
	];
}

/** Names of parts that can be switched off by themselves, as the place that stands for each. */
export function partPlace(root: string, kind: 'hooks' | 'server', name = ''): string {
	return join(root, 'prowess-plugin', 'parts', kind, name);
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder, { withFileTypes: true })
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => name)
			.sort();
	} catch {
		return [];
	}
}
