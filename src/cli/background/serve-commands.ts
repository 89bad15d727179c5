/** `prowess serve …` and `prowess work …`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { json, modelOptions } from '../invocation/shared-options.ts';
import { workCommands } from '../jobs/work-commands.ts';

const label = { value: 'NAME', isRepeatable: true, description: 'take jobs that need this label, too' } as const;

export const backgroundCommands: readonly CommandDef[] = [
	{
		name: 'serve',
		summary: 'keep schedules, goals and jobs running in the background, without an editor',
		operandCount: [0, 0],
		options: { ...modelOptions, label },
		notes: [
			'It works until it is stopped, one for each PROWESS_HOME; docs/background.md has a unit for systemd.',
			'Only folders that you have trusted are worked on. What needs your approval is refused; a job waits for your answer.',
		],
		load: async () => (await import('./serve.ts')).serveInBackground,
	},
	{
		name: 'serve status',
		summary: 'show whether it runs, what it works on and how its last work ended',
		operandCount: [0, 0],
		options: { json },
		notes: ['Exit code: 0 it runs, 1 it does not.'],
		load: async () => (await import('./serve-status.ts')).showBackgroundStatus,
	},
	{
		name: 'serve stop',
		summary: 'stop it; runs under way are stopped, goals go on when it is started again',
		operandCount: [0, 0],
		options: {},
		load: async () => (await import('./serve-status.ts')).stopServing,
	},
	{
		name: 'serve folder',
		summary: 'work on one folder until nothing is left to do; `serve` itself starts it',
		operands: '<folder>',
		operandCount: [1, 1],
		options: { ...modelOptions, label, jobs: { description: 'carry out the jobs of the folder, and nothing else' } },
		notes: ['It ends with its standard input.'],
		load: async () => (await import('./serve-folder.ts')).serveFolder,
	},
	...workCommands,
];
