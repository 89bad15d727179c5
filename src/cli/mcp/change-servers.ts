/** `prowess mcp add` and `prowess mcp remove`: the servers of settings.json, and no other file. Starts nothing. */
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type McpServerEntry, McpServerName, withWriteNeed } from '../../protocol/ops/mcp-server-entry.ts';
import { openHome } from '../home/home-folder.ts';
import { SettingsFile } from '../home/settings-file.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { createLog } from '../ports/host-ports.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';

const MCP_SERVERS_SETTING = 'prowess.mcp.servers';

export const addServer: CommandAction = (invocation, context) => {
	const [name = ''] = invocation.operands;
	const { success, error } = McpServerName.safeParse(name);
	if (!success) {
		throw new UsageError(`mcp add: ${error.issues[0]?.message ?? 'this is no name'}`);
	}
	const entry = readServerEntry(invocation);
	const settings = openUserSettings(invocation, context);
	settings.change(MCP_SERVERS_SETTING, (servers) => {
		if (Object.hasOwn(servers, name) && !invocation.switches.has('replace')) {
			throw new ProwessError(
				'ALREADY_EXISTS',
				`there is an MCP server "${name}" already; pass --replace to replace it`,
				{ name },
			);
		}
		return { ...servers, [name]: entry };
	});
	context.terminal.err(
		`Added the MCP server ${name} to ${visibleLine(settings.path)}. Try it: prowess mcp test ${name}\n`,
	);
	return Promise.resolve(exitCodes.done);
};

export const removeServer: CommandAction = (invocation, context) => {
	const [name = ''] = invocation.operands;
	const settings = openUserSettings(invocation, context);
	settings.change(MCP_SERVERS_SETTING, ({ [name]: removed, ...servers }) => {
		if (removed === undefined) {
			const message = `${settings.path} names no MCP server "${name}"; \`prowess mcp list\` shows which file does`;
			throw new ProwessError('NOT_FOUND', message, { name });
		}
		return servers;
	});
	context.terminal.err(`Removed the MCP server ${name} from ${visibleLine(settings.path)}.\n`);
	return Promise.resolve(exitCodes.done);
};

/** Adds what a server may change to its entry in settings.json. Throws NOT_FOUND for a server of another file. */
export function addWriteNeed(invocation: Invocation, context: CommandContext, paths: readonly string[]): void {
	const [name = ''] = invocation.operands;
	const settings = openUserSettings(invocation, context);
	settings.change(MCP_SERVERS_SETTING, (servers) => {
		const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
		if (entry?.command === undefined) {
			const needs = `"needs": { "write": ${JSON.stringify(paths)} }`;
			const message = `${settings.path} names no MCP server "${name}" with a command. Add ${needs} to its entry; \`prowess mcp list\` shows where that is`;
			throw new ProwessError('NOT_FOUND', message, { name });
		}
		return { ...servers, [name]: withWriteNeed(entry, paths) };
	});
}

function openUserSettings({ switches }: Invocation, { terminal, environment }: CommandContext): SettingsFile {
	return new SettingsFile(openHome(environment), createLog(terminal, switches.has('verbose')));
}

function readServerEntry({ operands, values, lists, switches }: Invocation): McpServerEntry {
	const [name = '', command, ...args] = operands;
	const { url, type = 'http' } = values;
	if ((command === undefined) === (url === undefined)) {
		throw new UsageError('mcp add: give either a command after -- or --url');
	}
	if (type !== 'http' && type !== 'sse') {
		throw new UsageError(`mcp add: --type takes http or sse, not ${JSON.stringify(type)}`);
	}
	if (url === undefined && values['type'] !== undefined) {
		throw new UsageError('mcp add: --type goes with --url; a command needs none');
	}
	if (url !== undefined) {
		return { type, url, ...unlessEmpty('headers', readNamedValues(name, 'header', lists['header'])) };
	}
	const { network = [], read = [], write = [] } = lists;
	const needs = {
		...listUnlessEmpty('network', network),
		...listUnlessEmpty('read', read),
		...listUnlessEmpty('write', write),
	};
	return {
		command: command ?? '',
		...listUnlessEmpty('args', args),
		...unlessEmpty('env', readNamedValues(name, 'env', lists['env'])),
		...unlessEmpty('needs', needs),
		...(switches.has('no-sandbox') ? { sandbox: false } : {}),
	};
}

/** A key in the settings would be in a file that other programs read. */
function readNamedValues(server: string, option: string, pairs: readonly string[] = []): Record<string, string> {
	const redactor = new Redactor(() => []);
	return Object.fromEntries(
		pairs.map((pair) => {
			const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(pair) ?? [];
			if (name === undefined || value === undefined) {
				throw new UsageError(`mcp add: --${option} takes NAME=VALUE, not ${JSON.stringify(pair)}`);
			}
			if (redactor.redact(`${name}=${value}`) !== `${name}=${value}` && !value.includes('${')) {
				throw new UsageError(
					`mcp add: the ${option} ${name} of ${server} looks like a key. Store it with "prowess secrets set ${name}", and pass --${option} '${name}=\${secret:${name}}'`,
				);
			}
			return [name, value];
		}),
	);
}

function unlessEmpty<K extends string, V extends object>(key: K, value: V): { [P in K]?: V } {
	return (Object.keys(value).length === 0 ? {} : { [key]: value }) as { [P in K]?: V };
}

function listUnlessEmpty<K extends string>(key: K, list: readonly string[]): { [P in K]?: string[] } {
	return (list.length === 0 ? {} : { [key]: [...list] }) as { [P in K]?: string[] };
}
