/** MCP servers that an editor names, as entries of ours: each waits for the user's consent like any other. Pure. */
import { RequestError, type McpServer } from '@agentclientprotocol/sdk';
import { McpServerEntry, McpServerName } from '../../protocol/ops/mcp-server-entry.ts';
import { acpLimits } from './limits.ts';

/** Throws a RequestError for one that is no server, and for one that would take secrets of the user by their names. */
export function readClientServers(servers: readonly McpServer[]): Record<string, McpServerEntry> {
	if (servers.length > acpLimits.servers) {
		throw RequestError.invalidParams({ limit: acpLimits.servers }, `at most ${acpLimits.servers} MCP servers`);
	}
	return Object.fromEntries(servers.map((server) => readClientServer(server)));
}

function readClientServer(server: McpServer): readonly [string, McpServerEntry] {
	const name = server.name
		.replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
		.replace(/^[^A-Za-z0-9]+/, '')
		.slice(0, 64);
	const entry =
		'command' in server
			? { command: server.command, args: server.args, env: toNamedValues(server.env) }
			: { type: server.type, url: server.url, headers: toNamedValues(server.headers) };
	const parsed = McpServerEntry.safeParse(entry);
	if (!McpServerName.safeParse(name).success || !parsed.success) {
		throw RequestError.invalidParams({ server: server.name.slice(0, 100) }, 'this is no MCP server that can be used');
	}
	if (/\$\{(?:secret|input|env):/.test(JSON.stringify(entry))) {
		const message = 'an MCP server of an editor cannot name secrets of Prowess';
		throw RequestError.invalidParams({ server: name }, message);
	}
	return [name, parsed.data];
}

function toNamedValues(values: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
	return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
