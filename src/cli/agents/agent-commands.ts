/** `prowess agent …` and `prowess hooks …`: a part of the table of commands. */
import { anyNumber, type CommandDef, type OptionDef } from '../invocation/command.ts';
import { json, ofTrust } from '../invocation/shared-options.ts';

const agentFolderOptions = {
	workspace: { value: 'DIR', description: 'folder whose agents to include (default: current folder)' },
	trust: ofTrust,
} as const satisfies Record<string, OptionDef>;

export const agentCommands: readonly CommandDef[] = [
	{
		name: 'agent list',
		summary: 'list threads, sub-agents, goals and runs, what needs you first, with what each does and has used',
		operandCount: [0, 0],
		options: { thread: { value: 'ID', description: 'only the sub-agents that work for this thread' }, json },
		load: async () => (await import('./agents.ts')).listAgents,
	},
	{
		name: 'agent show',
		summary: 'show a sub-agent, its task and its last words',
		operands: '<id>',
		operandCount: [1, 1],
		options: { json },
		notes: ['prowess thread show prints its whole conversation.'],
		load: async () => (await import('./agents.ts')).showAgent,
	},
	{
		name: 'agent stop',
		summary: 'end a sub-agent, with those that it has started',
		operands: '<id>',
		operandCount: [1, 1],
		options: {},
		load: async () => (await import('./agents.ts')).stopAgent,
	},
	{
		name: 'agent custom',
		summary: 'list custom agents, which file has each, and whether a sub-agent may follow it',
		operandCount: [0, 0],
		options: { ...agentFolderOptions, json },
		notes: [
			'From .github/agents/*.agent.md and .claude/agents/*.md of a trusted folder, ~/.copilot/agents and ~/.claude/agents.',
		],
		load: async () => (await import('./custom-agents.ts')).listCustomAgents,
	},
	{
		name: 'agent allow',
		summary: 'let sub-agents follow the custom agent in a file, until that changes',
		operands: '<file>…',
		operandCount: [1, anyNumber],
		options: { ...agentFolderOptions },
		load: async () => (await import('./custom-agents.ts')).allowCustomAgents,
	},
	{
		name: 'agent revoke',
		summary: 'have the custom agent in a file ask for your consent again',
		operands: '<file>…',
		operandCount: [1, anyNumber],
		options: { ...agentFolderOptions },
		load: async () => (await import('./custom-agents.ts')).revokeCustomAgents,
	},
];

const hookFolderOptions = {
	workspace: { value: 'DIR', description: 'folder whose hooks to include (default: current folder)' },
	trust: ofTrust,
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
