/** Composition of the catalog: which capabilities there are, and which of them may be used. */
import { basename, join } from 'node:path';
import { PLUGIN_HOOKS } from '../../protocol/plugin.ts';
import { builtInExecutors } from '../../catalog/executors.ts';
import { CapabilityRegistry } from '../../catalog/registry/capability-registry.ts';
import { UsedCapabilities } from '../../catalog/registry/offer/used-capabilities.ts';
import { Newcomers } from '../../catalog/registry/offer/newcomers.ts';
import { SeenCapabilities } from '../../catalog/registry/offer/seen-capabilities.ts';
import { KeptOffers } from '../../catalog/registry/offer/kept-offers.ts';
import { KeptReadings } from '../../catalog/registry/reading/kept-readings.ts';
import { Looks } from '../../catalog/registry/reading/looks.ts';
import { EnabledCapabilities } from '../../catalog/registry/sources/enabled-capabilities.ts';
import { EnabledSource } from '../../catalog/registry/sources/enabled-source.ts';
import type { AgentFile } from '../../features/agents/custom/agent-files.ts';
import { installedPlugin } from '../../catalog/registry/reading/installed-plugin.ts';
import { partPlace, pluginDataFolder, pluginPlaces } from '../../catalog/registry/reading/plugin-place.ts';
import type { HooksOfPlugin } from '../../trust/gate/hooks/foreign/hook-files.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';

export function composeCatalog(ports: HostPorts) {
	const { places, log } = ports;
	const enabledCapabilities = new EnabledCapabilities(places.home, join(places.dist, '../capabilities'));
	// The file that every build writes anew.
	const programStamp = async () => JSON.stringify(await new Looks().stampOf(join(places.dist, 'cli.mjs')));
	const keptReadings = new KeptReadings({
		home: places.home,
		programStamp,
		onTooMuch: (chars, limit) => log.info('what manifests say is too much to be kept', { chars, limit }),
	});
	const keptOffers = new KeptOffers({ home: places.home, programStamp, enabled: enabledCapabilities });
	const registry = new CapabilityRegistry({
		ports,
		executors: builtInExecutors(places.dist),
		kept: keptReadings,
		offers: keptOffers,
	});
	const seenCapabilities = new SeenCapabilities(ports);
	return {
		enabledCapabilities,
		seenCapabilities,
		keptOffers,
		keptReadings,
		registry,
		newcomers: new Newcomers({ registry, enabled: enabledCapabilities, seenBefore: seenCapabilities }),
		usedCapabilities: new UsedCapabilities(ports),
		enabledSource: new EnabledSource(registry, enabledCapabilities),
	};
}

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
