/** `prowess memory …` and `prowess code …`: a part of the table of commands. */
import { anyNumber, type CommandDef, type OptionDef } from '../invocation/command.ts';
import { json, ofFolder } from '../invocation/shared-options.ts';

const memoryFolderOptions = {
	workspace: { value: 'DIR', description: 'folder of the project (default: current folder)' },
} as const satisfies Record<string, OptionDef>;
const memoryListOptions = {
	...memoryFolderOptions,
	inbox: { description: 'only what waits for your review' },
	all: { description: 'of all projects' },
	json,
} as const satisfies Record<string, OptionDef>;
const ids = '<id as `memory list` shows it>…';
const wholeInbox = { all: { description: 'the whole inbox of the project and your own' } };

export const memoryCommands: readonly CommandDef[] = [
	{
		name: 'memory list',
		summary: 'list what is remembered for you and for a project, and what waits for your review',
		operandCount: [0, 0],
		options: memoryListOptions,
		load: async () => (await import('./memories.ts')).listMemories,
	},
	{
		name: 'memory search',
		summary: 'search memories by words and by similarity',
		operands: '"<words>"',
		operandCount: [1, 1],
		options: memoryListOptions,
		load: async () => (await import('./memories.ts')).searchMemories,
	},
	{
		name: 'memory add',
		summary: 'remember something for later threads',
		operands: '"<text>"',
		operandCount: [1, 1],
		options: {
			...memoryFolderOptions,
			user: { description: 'in all projects, not only in this one' },
			preference: { description: 'recall it in every thread that has room for it, not only where it fits' },
			expires: { value: 'DAYS', description: 'forget it after so many days (default: never)' },
		},
		notes: ['A text that holds what looks like a key is refused.'],
		load: async () => (await import('./memories.ts')).addMemory,
	},
	{
		name: 'memory accept',
		summary: 'accept what the agent noted: from now on it is recalled',
		operands: `${ids} | --all`,
		operandCount: [0, anyNumber],
		options: { ...memoryFolderOptions, ...wholeInbox },
		load: async () => (await import('./memories.ts')).acceptMemories,
	},
	{
		name: 'memory reject',
		summary: 'delete what the agent noted, unseen by any thread',
		operands: `${ids} | --all`,
		operandCount: [0, anyNumber],
		options: { ...memoryFolderOptions, ...wholeInbox },
		load: async () => (await import('./memories.ts')).rejectMemories,
	},
	{
		name: 'memory forget',
		summary: 'delete memories',
		operands: ids,
		operandCount: [1, anyNumber],
		options: {},
		load: async () => (await import('./memories.ts')).forgetMemories,
	},
];

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
