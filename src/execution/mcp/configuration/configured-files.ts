/** Files that name MCP servers: the user's, and those of each folder of the workspace. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { PLUGIN_SERVERS } from '../../../protocol/capability/plugin.ts';
import { type PluginPlace, pluginPlaces } from '../../../catalog/registry/reading/plugin-place.ts';
import type { McpSource } from '../server.ts';

export interface McpFile {
	readonly source: Exclude<McpSource, 'settings'>;
	readonly path: string;
	/** Member of the file that holds the servers. */
	readonly member: 'servers' | 'mcpServers';
	/** Folder of the project that the file belongs to; undefined: it belongs to no project. */
	readonly folder: string | undefined;
	/** Plugin whose servers they are; absent: none. */
	readonly plugin?: Pick<PluginPlace, 'root' | 'name'>;
}

type McpPlaces = Pick<PlacesPort, 'userHome' | 'home'>;
type Workspace = Pick<WorkspacePort, 'folders' | 'isTrusted'>;

/** Lists the files that may hold servers, the user's own first. A workspace that is not trusted contributes none. */
export function mcpFiles(places: McpPlaces, workspace: Workspace): readonly McpFile[] {
	const { userHome } = places;
	const { folders, isTrusted } = workspace;
	const own: McpFile = {
		source: 'copilot',
		path: join(userHome, '.copilot', 'mcp-config.json'),
		member: 'mcpServers',
		folder: undefined,
	};
	const ofFolder = (folder: string): readonly McpFile[] => [
		{ source: 'vscode', path: join(folder, '.vscode', 'mcp.json'), member: 'servers', folder },
		{ source: 'project', path: join(folder, '.mcp.json'), member: 'mcpServers', folder },
	];
	const ofPlugins = pluginPlaces(places, workspace).map(({ root, name, folder }): McpFile => ({
		source: folder === undefined ? 'plugin' : 'projectPlugin',
		path: join(root, ...PLUGIN_SERVERS.split('/')),
		member: 'mcpServers',
		folder,
		plugin: { root, name },
	}));
	const ofUser = ofPlugins.filter(({ folder }) => folder === undefined);
	return [
		own,
		...ofUser,
		...(isTrusted ? folders.flatMap(({ path }) => ofFolder(path)) : []),
		...ofPlugins.filter((each) => !ofUser.includes(each)),
	];
}

/** True when any such file exists: then the agent is told that there are MCP servers. */
export function hasMcpFile(places: McpPlaces, workspace: Workspace): boolean {
	return mcpFiles(places, workspace).some(({ path }) => existsSync(path));
}
