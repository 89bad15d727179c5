/** `prowess rpc` and `prowess mcp serve`: a part of the table of commands, for programs and agents that use Prowess. */
import type { CommandDef } from '../invocation/command.ts';
import { modelOptions, ofFolder } from '../invocation/shared-options.ts';

const level = {
	value: 'LEVEL',
	choices: ['manual', 'ask', 'edit', 'auto', 'full'],
	description: 'widest permission level through this door; never wider than prowess.approvals.level',
} as const;

export const doorCommands: readonly CommandDef[] = [
	{
		name: 'rpc',
		summary: 'serve a program in JSON-RPC, on standard input and output',
		operandCount: [0, 0],
		options: { ...ofFolder, level, ...modelOptions },
		notes: ['A program starts it, best with the client of @prowess/sdk; docs/rpc.md has an example.'],
		load: async () => (await import('./rpc-command.ts')).serveRpcCommand,
	},
	{
		name: 'mcp serve',
		summary: 'serve other agents as an MCP server: capabilities, search, edits and commands, through the gate',
		operandCount: [0, 0],
		options: {
			...ofFolder,
			level,
			http: { value: 'PORT', description: 'serve over HTTP on 127.0.0.1 (0: any free port); prints address and token' },
			...modelOptions,
		},
		notes: [
			'Without --http an MCP client starts it, and speaks on standard input and output. Default level: ask.',
			'docs/mcp-server.md says how clients are set up, and what they may do.',
		],
		load: async () => (await import('./mcp-serve-command.ts')).serveMcpCommand,
	},
];
