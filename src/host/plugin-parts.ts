/** Hooks and agents that enabled plugins bring: neither the gate nor the agents may look into the catalog. */
import { basename, join } from 'node:path';
import {
	installedPlugin,
	partPlace,
	pluginDataFolder,
	pluginPlaces,
} from '../catalog/registry/reading/plugin-place.ts';
import type { EnabledCapabilities } from '../catalog/registry/sources/enabled-capabilities.ts';
import type { HostPorts } from '../contract/ports/ports.ts';
import type { AgentFile } from '../features/agents/custom/agent-files.ts';
import { PLUGIN_HOOKS } from '../protocol/capability/plugin.ts';
import type { HooksOfPlugin } from '../trust/gate/hooks/foreign/hook-files.ts';

/** Lists the hooks of plugins, where neither the plugin nor its hooks are switched off. */
export async function hooksOfPlugins(
	{ places, workspace }: Pick<HostPorts, 'places' | 'workspace'>,
	enabled: Pick<EnabledCapabilities, 'disabled'>,
): Promise<readonly HooksOfPlugin[]> {
	const isOff = await enabled.disabled();
	return pluginPlaces(places, workspace)
		.filter(({ root }) => !isOff(root) && !isOff(partPlace(root, 'hooks')))
		.map(({ root, name, folder }) => ({
			root,
			data: pluginDataFolder(places.home, root),
			name,
			folder,
			path: join(root, ...PLUGIN_HOOKS.split('/')),
		}));
}

/** Lists the agents of enabled plugins that are not switched off; a plugin that cannot be read has none. */
export async function agentsOfPlugins(
	{ places, workspace }: Pick<HostPorts, 'places' | 'workspace'>,
	enabled: Pick<EnabledCapabilities, 'disabled'>,
): Promise<readonly AgentFile[]> {
	const isOff = await enabled.disabled();
	const found: AgentFile[] = [];
	for (const { root, name: plugin, folder } of pluginPlaces(places, workspace)) {
		if (isOff(root)) continue;
		const { agents } = await installedPlugin(root).catch(() => ({ agents: [] }));
		for (const path of agents.map((each) => join(root, ...each.split('/'))).filter((each) => !isOff(each))) {
			const name = basename(path).replace(/(?:\.agent)?\.md$/i, '');
			found.push({ path, isOfProject: folder !== undefined, name, plugin });
		}
	}
	return found;
}
