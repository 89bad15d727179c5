/** `prowess mcp …`: a part of the table of commands. */
import { anyNumber, type CommandDef, type OptionDef } from '../invocation/command.ts';
import { json, ofTrust } from '../invocation/shared-options.ts';

const mcpFolderOptions = {
	workspace: { value: 'DIR', description: 'folder whose servers to include (default: current folder)' },
	trust: ofTrust,
} as const satisfies Record<string, OptionDef>;
const createRepeatableOption = (value: string, description: string): OptionDef => ({
	value,
	isRepeatable: true,
	description,
});

export const mcpCommands: readonly CommandDef[] = [
	{
		name: 'mcp list',
		summary: 'list MCP servers, where each is named, and whether it may start',
		operandCount: [0, 0],
		options: { ...mcpFolderOptions, json },
		notes: [
			'From settings.json, ~/.copilot/mcp-config.json, and .vscode/mcp.json and .mcp.json of a trusted folder. Starts none.',
		],
		load: async () => (await import('./list-servers.ts')).listServers,
	},
	{
		name: 'mcp add',
		summary: 'add an MCP server to settings.json',
		operands: '<name> [-- <command> [<argument>…]]',
		operandCount: [1, anyNumber],
		options: {
			url: { value: 'URL', description: 'address of a server that already runs, instead of a command' },
			type: {
				value: 'http|sse',
				description: 'transport of that server (default: http, and sse if it takes no messages there)',
			},
			env: createRepeatableOption('NAME=VALUE', 'variable that it gets; may be repeated'),
			header: createRepeatableOption('NAME=VALUE', 'header of each request, with --url; may be repeated'),
			network: createRepeatableOption('HOST', 'host that it may reach without a question; may be repeated'),
			read: createRepeatableOption('PATH', 'file or folder beyond the workspace that it may read; may be repeated'),
			write: createRepeatableOption(
				'PATH',
				'file or folder that it may change, "." for the workspace; may be repeated',
			),
			'no-sandbox': { description: 'run it as you, outside of the sandbox' },
			replace: { description: 'in the place of one of the same name' },
		},
		notes: [
			'prowess mcp add memory -- npx -y @modelcontextprotocol/server-memory',
			"For a key, store it first, then name it: prowess secrets set github; prowess mcp add … --env 'TOKEN=${secret:github}'",
		],
		load: async () => (await import('./change-servers.ts')).addServer,
	},
	{
		name: 'mcp remove',
		summary: 'remove an MCP server from settings.json',
		operands: '<name>',
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./change-servers.ts')).removeServer,
	},
	{
		name: 'mcp allow',
		summary: 'let an MCP server start, in every project, until its entry changes',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...mcpFolderOptions,
			write: createRepeatableOption(
				'PATH',
				'file or folder that it may change, "." for the workspace: added to its entry; may be repeated',
			),
		},
		notes: [
			'For sessions that cannot ask. `prowess approvals list` shows it, `prowess approvals revoke` takes it back.',
		],
		load: async () => (await import('./list-servers.ts')).allowServer,
	},
	{
		name: 'mcp sign-out',
		summary: 'forget a sign-in at an MCP server',
		operands: '<name>',
		operandCount: [1, 1],
		options: { ...mcpFolderOptions },
		notes: ['You sign in when the server is first used: `prowess mcp test` does.'],
		load: async () => (await import('./list-servers.ts')).signOutOfServer,
	},
	{
		name: 'mcp test',
		summary: 'start an MCP server, list its tools, resources and prompts, and stop it',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...mcpFolderOptions,
			yes: { description: 'agree to start it, this once; what it is shows `prowess mcp list`' },
			json,
		},
		notes: ['Without a terminal it starts only with --yes, or once you allowed it. Exit code 1 if it fails.'],
		load: async () => (await import('./list-servers.ts')).testServer,
	},
];
