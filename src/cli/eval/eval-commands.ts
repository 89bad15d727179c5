/** `prowess eval run` and `prowess eval compare`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { json, modelOptions } from '../invocation/shared-options.ts';

export const evalCommands: readonly CommandDef[] = [
	{
		name: 'eval run',
		summary: 'let the agent work on a set of tasks, and say how many pass their checks',
		operands: '<folder>',
		operandCount: [1, 1],
		options: {
			...modelOptions,
			tries: { value: 'N', description: 'tries for each task, told why the one before failed (default: 2)' },
			jobs: { value: 'N', description: 'tasks side by side (default: 1)' },
			task: { value: 'NAME', isRepeatable: true, description: 'only this task, or those below this folder' },
			report: {
				value: 'FILE',
				description: 'write the report of --json here after each task; it is there after a kill',
			},
			json,
		},
		notes: [
			'Each task runs in a folder and a home of its own; nobody is asked. See docs/evaluation.md.',
			'Exit code: 0 every task passed, 1 one failed, 2 wrong usage, 130 stopped.',
		],
		load: async () => (await import('./eval-command.ts')).runEvalCommand,
	},
	{
		name: 'eval compare',
		summary: 'compare two reports of prowess eval run --json',
		operands: '<before> <after>',
		operandCount: [2, 2],
		options: {},
		notes: ['Exit code: 1 if a task that passed before fails now, is gone, or was not evaluated.'],
		load: async () => (await import('./eval-command.ts')).compareEvalCommand,
	},
];
