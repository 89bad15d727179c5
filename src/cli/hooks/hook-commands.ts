/** `prowess hooks …`: a part of the table of commands. */
import { anyNumber, type CommandDef, type OptionDef } from '../invocation/command.ts';
import { json } from '../invocation/shared-options.ts';

const hookFolderOptions = {
	workspace: { value: 'DIR', description: 'folder whose hooks to include (default: current folder)' },
	trust: { description: 'trust that folder from now on; its files can control what runs' },
} as const satisfies Record<string, OptionDef>;

export const hookCommands: readonly CommandDef[] = [
	{
		name: 'hooks list',
		summary: 'list hooks of other agents, which file names each, and whether it may run',
		operandCount: [0, 0],
		options: { ...hookFolderOptions, json },
		notes: [
			'From .github/hooks/*.json and .claude/settings*.json of a trusted folder, ~/.copilot/hooks and ~/.claude. Runs none.',
			'`prowess policy show` lists the hooks of `prowess.hooks`.',
		],
		load: async () => (await import('./list-hooks.ts')).listHooks,
	},
	{
		name: 'hooks allow',
		summary: 'let the hooks of a file run, until the file or a program that they run changes',
		operands: '<file>…',
		operandCount: [1, anyNumber],
		options: { ...hookFolderOptions },
		load: async () => (await import('./list-hooks.ts')).allowHooks,
	},
	{
		name: 'hooks revoke',
		summary: 'let the hooks of a file no longer run',
		operands: '<file>…',
		operandCount: [1, anyNumber],
		options: { ...hookFolderOptions },
		load: async () => (await import('./list-hooks.ts')).revokeHooks,
	},
];
