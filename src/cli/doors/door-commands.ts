/** `prowess rpc`: a part of the table of commands, for programs that drive Prowess. */
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
];
