/** `prowess script …`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { approval, json } from '../invocation/shared-options.ts';

const workspace = { value: 'DIR', description: 'folder to work on (default: current folder)' } as const;
const trustOption = { description: 'trust this folder from now on' } as const;

export const scriptCommands: readonly CommandDef[] = [
	{
		name: 'script check',
		summary: 'show the steps of a script, or what is wrong with it; nothing runs',
		operands: '<file.yaml>',
		operandCount: [1, 1],
		options: { workspace, trust: trustOption, json },
		notes: [],
		load: async () => (await import('./scripts.ts')).checkScript,
	},
	{
		name: 'script run',
		summary: 'run a script of ops and capabilities, or go on behind the step that failed',
		operands: '<file.yaml>',
		operandCount: [1, 1],
		options: {
			workspace,
			trust: trustOption,
			anew: { description: 'begin at the first step, whatever an earlier run has done' },
			repeat: { value: 'STEP', description: 'do a step again of which it is not known whether it took effect' },
			skip: { value: 'STEP', description: 'count such a step as done' },
			...approval,
			json,
		},
		notes: ['A script that was changed begins anew. What is done is not done again.'],
		load: async () => (await import('./scripts.ts')).runScript,
	},
	{
		name: 'script keep',
		summary: 'keep a script as a skill of yours',
		operands: '<file.yaml> <name>',
		operandCount: [2, 2],
		options: { workspace, trust: trustOption },
		notes: [],
		load: async () => (await import('./scripts.ts')).keepScript,
	},
];
