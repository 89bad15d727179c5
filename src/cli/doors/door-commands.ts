/** `prowess rpc`, `prowess mcp serve` and `prowess web`: a part of the table of commands, for clients that reach Prowess through a door. */
import type { CommandDef } from '../invocation/command.ts';
import { json, modelOptions, ofFolder } from '../invocation/shared-options.ts';

const level = {
	value: 'LEVEL',
	choices: ['manual', 'ask', 'edit', 'auto', 'full'],
	description: 'widest permission level through this door; never wider than prowess.approvals.level',
} as const;

const deviceRights = {
	value: 'RIGHTS',
	description: 'of the browser that pairs with the code: look, answer, prompt, joined by commas (default: all)',
} as const;

export const doorCommands: readonly CommandDef[] = [
	{
		name: 'rpc',
		summary: 'serve a program in JSON-RPC, on standard input and output',
		operandCount: [0, 0],
		options: { ...ofFolder, level, ...modelOptions },
		notes: ['A program starts it, best with @prowess/sdk: see docs/rpc.md.'],
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
			'docs/mcp-server.md says how clients are set up.',
		],
		load: async () => (await import('./mcp-serve-command.ts')).serveMcpCommand,
	},
	{
		name: 'web',
		summary: 'serve the chat to browsers that you pair, on 127.0.0.1 unless you have a certificate',
		operandCount: [0, 0],
		options: {
			...ofFolder,
			workspace: { value: 'DIR', description: 'only this folder (default: all folders that you have trusted)' },
			port: { value: 'PORT', description: 'port to listen on (default: 8377; 0: any free port)' },
			cert: { value: 'FILE', description: 'certificate in PEM, to serve over HTTPS; with --key' },
			key: { value: 'FILE', description: 'private key of the certificate, in PEM' },
			listen: {
				value: 'ADDRESS',
				description: 'address to listen on (default: 127.0.0.1); others than loopback need --cert',
			},
			origin: {
				value: 'URL',
				isRepeatable: true,
				description: 'address of a tunnel of yours that leads here, as the browser shows it',
			},
			rights: deviceRights,
			level,
			json,
			...modelOptions,
		},
		notes: [
			'It prints an address with a pairing code, and serves until it is stopped.',
			'docs/web.md says how a phone reaches it.',
		],
		load: async () => (await import('./web-command.ts')).serveWebCommand,
	},
	{
		name: 'web pair',
		summary: 'print a code that pairs one more browser',
		operandCount: [0, 0],
		options: { rights: deviceRights },
		load: async () => (await import('./web-command.ts')).createPairingCode,
	},
	{
		name: 'web devices',
		summary: 'list the browsers that are paired, with their rights',
		operandCount: [0, 0],
		options: { json },
		load: async () => (await import('./web-command.ts')).listDevices,
	},
	{
		name: 'web revoke',
		summary: 'revoke a browser; its pages are closed at once',
		operands: '<name>',
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./web-command.ts')).revokeDevice,
	},
];
