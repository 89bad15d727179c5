/** `prowess replay` and `prowess report`: a part of the table of commands. */
import type { CommandAction, CommandDef } from '../invocation/command.ts';
import { approval, json, modelOptions, ofTrust, ofWork } from '../invocation/shared-options.ts';

/** `loadGoingOn`: of `--from`, which runs a prompt. */
export const createReplayCommands = (loadGoingOn: () => Promise<CommandAction>): readonly CommandDef[] => [
	{
		name: 'replay',
		summary: 'run a recorded turn again, without a network and without effects, and show the first difference',
		operands: '[<thread id>[:<turn id>] | <file>] ["<prompt>"]',
		operandCount: [0, 2],
		options: {
			from: { value: 'STEP', description: 'go on live from this step, in a new worktree of the folder' },
			...modelOptions,
			...approval,
			workspace: ofWork,
			trust: ofTrust,
			json,
		},
		notes: [
			'prowess run --record records one. Without an operand: what is recorded. See docs/replay.md.',
			'A prompt, and the options of models, approvals and folders, go with --from.',
		],
		load: async () => (await import('./replay-command.ts')).createReplayCommand(loadGoingOn),
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
