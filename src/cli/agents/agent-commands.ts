/** `prowess agent …`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { json } from '../invocation/shared-options.ts';

export const agentCommands: readonly CommandDef[] = [
	{
		name: 'agent list',
		summary: 'list sub-agents: their state, what they do and what they have used',
		operandCount: [0, 0],
		options: { thread: { value: 'ID', description: 'only those that work for this thread' }, json },
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
];
