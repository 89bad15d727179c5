/** `prowess code …`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { json, ofFolder } from '../invocation/shared-options.ts';

export const codeCommands: readonly CommandDef[] = [
	{
		name: 'code search',
		summary: 'find places in the code by what they are about',
		operands: '"<words>"',
		operandCount: [1, 1],
		options: {
			...ofFolder,
			in: { value: 'PATH', description: 'folder or file of the workspace to search (default: all)' },
			limit: { value: 'N', description: 'places to show (default: 8)' },
			json,
		},
		notes: ['Needs the setting prowess.search.codeIndex.'],
		load: async () => (await import('./code.ts')).searchCodeCommand,
	},
	{
		name: 'code update',
		summary: 'read into the code index what is not in it yet',
		operandCount: [0, 0],
		options: ofFolder,
		load: async () => (await import('./code.ts')).updateCode,
	},
	{
		name: 'code remove',
		summary: 'delete the code index of all folders',
		operandCount: [0, 0],
		options: {},
		load: async () => (await import('./code.ts')).removeCode,
	},
];
