/** `prowess replay` and `prowess report`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { json } from '../invocation/shared-options.ts';

export const replayCommands: readonly CommandDef[] = [
	{
		name: 'replay',
		summary: 'run a recorded turn again, without a network and without effects, and show the first difference',
		operands: '[<thread id>[:<turn id>] | <file>]',
		operandCount: [0, 1],
		options: { json },
		notes: ['prowess run --record records one. Without an operand: what is recorded. See docs/replay.md.'],
		load: async () => (await import('./replay-command.ts')).replayCommand,
	},
	{
		name: 'report',
		summary: 'write a recorded turn to one file to hand on, once you have seen what is in it',
		operands: '<thread id>[:<turn id>] [<file>]',
		operandCount: [1, 2],
		options: { yes: { description: 'do not ask' } },
		load: async () => (await import('./replay-command.ts')).reportCommand,
	},
];
