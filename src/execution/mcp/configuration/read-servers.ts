/**
 * All MCP servers there are: of the settings, of the user's file, of the project. A broken entry costs itself alone, and a name
 * that is taken goes to whoever comes first, so that no project takes the place of what the user wrote.
 */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { McpServerEntry, McpServerName } from '../../../protocol/ops/mcp-server-entry.ts';
import { inEnglish, type Text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { PlacesPort, SettingsPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { findErrno } from '../../../machine/paths/file-error.ts';
import { readRegularFile } from '../../../machine/paths/reading/read-regular-file.ts';
import { CONFIGURATION_BYTES, SERVERS } from '../limits.ts';
import { isOfProject, type McpConfiguration, type McpServer } from '../server.ts';
import { partPlace, pluginDataFolder } from '../../../catalog/registry/reading/plugin-place.ts';
import type { EnabledCapabilities } from '../../../catalog/registry/sources/enabled-capabilities.ts';
import { type McpFile, mcpFiles } from './configured-files.ts';
import { parseJsonc } from '../../../base/text/jsonc.ts';

export interface ConfigurationDeps {
	readonly places: Pick<PlacesPort, 'userHome' | 'home'>;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly settings: Pick<SettingsPort, 'current' | 'organisation'>;
	/** Tells which plugins, and parts of plugins, are switched off; absent: none is. */
	readonly plugins?: Pick<EnabledCapabilities, 'disabled'>;
}

const SERVERS_SETTING = 'prowess.mcp.servers';

/** Reads the configured servers afresh. Never rejects: an entry or file that cannot be read becomes a problem. */
export async function readServers(deps: ConfigurationDeps): Promise<McpConfiguration> {
	const ofSettings = Object.entries(deps.settings.current[SERVERS_SETTING]).map(([name, entry]) => ({
		name,
		entry: entry as unknown,
		from: { source: 'settings', path: SERVERS_SETTING, folder: undefined, plugin: undefined } as const,
	}));
	const isOff = (await deps.plugins?.disabled()) ?? (() => false);
	const all = mcpFiles(deps.places, deps.workspace).filter(({ plugin }) => plugin === undefined || !isOff(plugin.root));
	const files = await Promise.all(all.map((file) => readServerEntries(file)));
	const servers = new Map<string, McpServer>();
	const problems = files.flatMap((file) => file.problems);
	for (const { name, entry, from } of [...ofSettings, ...files.flatMap((file) => file.entries)]) {
		// The plugin's name goes in front, so that two plugins may have a server of the same name.
		const usable = usableName(from.plugin === undefined ? name : `${from.plugin.name}.${name}`);
		const where = `${JSON.stringify(name)} in ${from.path}`;
		const server = usable === undefined ? 'its name has no letter or digit' : resolveServer(usable, entry, from, deps);
		const { plugin } = from;
		if (plugin !== undefined && isOff(partPlace(plugin.root, 'server', name))) continue;
		const refusal = typeof server === 'string' ? undefined : findServerRefusal(server, deps);
		const taken = usable === undefined ? undefined : servers.get(usable);
		if (typeof server === 'string') {
			problems.push(`The MCP server ${where} cannot be used: ${server}.`);
		} else if (refusal !== undefined) {
			problems.push(`The MCP server ${where} is not used. ${inEnglish(refusal)}`);
		} else if (taken !== undefined) {
			problems.push(`The MCP server ${where} is not used: the one of ${taken.path} has the same name.`);
		} else if (servers.size >= SERVERS) {
			problems.push(`The MCP server ${where} is not used: there are ${SERVERS} already.`);
		} else {
			servers.set(server.name, server);
		}
	}
	return { servers: [...servers.values()], problems };
}

/** Why the user's organisation does not allow a server; undefined: it does. */
function findServerRefusal({ launch }: McpServer, { settings }: ConfigurationDeps): Text | undefined {
	const { organisation } = settings;
	return launch.kind === 'http'
		? organisation?.refusalOfServer(launch)
		: organisation?.refusalOfServer({ ...launch, network: launch.needs.network });
}

interface FoundServerEntry {
	readonly name: string;
	readonly entry: unknown;
	readonly from: Pick<McpFile, 'source' | 'path' | 'folder' | 'plugin'>;
}

async function readServerEntries(
	file: McpFile,
): Promise<{ readonly entries: FoundServerEntry[]; readonly problems: string[] }> {
	try {
		const bytes = await readRegularFile(await realpath(file.path), CONFIGURATION_BYTES);
		const parsed = z.record(z.string(), z.unknown()).safeParse(parseJsonc(bytes.toString('utf8')));
		const members = parsed.data?.[file.member];
		if (members === undefined) {
			return { entries: [], problems: parsed.success ? [] : [`${file.path} is not used: it holds no object.`] };
		}
		const servers = z.record(z.string(), z.unknown()).parse(members);
		return { entries: Object.entries(servers).map(([name, entry]) => ({ name, entry, from: file })), problems: [] };
	} catch (error) {
		const isMissing = ['ENOENT', 'ENOTDIR'].includes(findErrno(error) ?? '');
		return {
			entries: [],
			problems: isMissing ? [] : [`${file.path} is not used: ${takeFirstLine(toErrorMessage(error))}.`],
		};
	}
}

/** `com.example/tools` becomes `com.example-tools`: a slash ends the name of a server in rules. */
function usableName(name: string): string | undefined {
	const usable = name
		.normalize('NFC')
		.replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
		.replace(/^[^A-Za-z0-9]+/, '')
		.slice(0, 64);
	return McpServerName.safeParse(usable).success ? usable : undefined;
}

/** The server, or in words why it is none. */
function resolveServer(
	name: string,
	written: unknown,
	{
		source,
		path,
		folder,
		plugin,
	}: FoundServerEntry['from'] | { source: 'settings'; path: string; folder: undefined; plugin: undefined },
	{ workspace, places }: ConfigurationDeps,
): McpServer | string {
	const read = McpServerEntry.safeParse(written);
	if (!read.success) {
		const [issue] = read.error.issues;
		return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is no entry of a server'}`;
	}
	const { command, args = [], env = {}, envFile, cwd, url, headers = {}, oauth, disabled = false, type } = read.data;
	const data = plugin === undefined ? undefined : pluginDataFolder(places.home, plugin.root);
	const ofPlugin = plugin === undefined || data === undefined ? {} : { pluginRoot: plugin.root, pluginData: data };
	const base = { name, source, path, folder, isDisabled: disabled, ...ofPlugin };
	if (envFile !== undefined) {
		return 'envFile is not read; write the variables in env, with ${secret:name} for what is secret';
	}
	const root = folder ?? workspace.folders[0]?.path ?? places.userHome;
	const expandVariables = (text: string) =>
		(plugin === undefined || data === undefined
			? text
			: text
					.replaceAll(/\$\{(?:CLAUDE_)?PLUGIN_ROOT\}/g, () => plugin.root)
					.replaceAll(/\$\{(?:CLAUDE_)?PLUGIN_DATA\}/g, () => data)
		)
			.replaceAll(/\$\{(?:workspaceFolder|CLAUDE_PROJECT_DIR)\}/g, () => root)
			.replaceAll('${userHome}', () => places.userHome);
	if (command !== undefined && url === undefined && type !== 'http' && type !== 'sse' && type !== 'streamable-http') {
		const { sandbox = true, needs: { network = [], read: reads = [], write = [] } = {} } = read.data;
		if (!sandbox && (isOfProject(base) || plugin !== undefined)) {
			return '"sandbox": false counts only in prowess.mcp.servers of your own settings';
		}
		const place = cwd === undefined ? root : expandVariables(cwd);
		const files = plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root, PLUGIN_ROOT: plugin.root };
		const kept = data === undefined ? {} : { CLAUDE_PLUGIN_DATA: data, PLUGIN_DATA: data };
		const set = Object.entries({ ...env, ...files, ...kept }).filter(([, value]) => value !== null);
		return {
			...base,
			launch: {
				kind: 'stdio',
				command: expandVariables(command),
				args: args.map(expandVariables),
				env: Object.fromEntries(set.map(([key, value]) => [key, expandVariables(String(value))])),
				cwd: isAbsolute(place) ? place : join(plugin?.root ?? root, place),
				isSandboxed: sandbox,
				needs: {
					network: network.map((host) => host.toLowerCase()),
					read: reads.map(expandVariables),
					write: write.map(expandVariables),
				},
			},
		};
	}
	if (url !== undefined && command === undefined && type !== 'stdio' && type !== 'local') {
		const older = type === 'sse' ? ({ isOlder: true } as const) : {};
		const { clientId, clientSecret } = oauth ?? {};
		const secret = clientSecret === undefined ? {} : { clientSecret };
		const client = clientId === undefined ? {} : { oauth: { clientId, ...secret } };
		return { ...base, launch: { kind: 'http', url: expandVariables(url), headers, ...client, ...older } };
	}
	return 'it needs either a command or a url, with a type that fits';
}

function takeFirstLine(text: string): string {
	return text.split('\n')[0] ?? '';
}
