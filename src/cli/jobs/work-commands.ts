/** `prowess work …`: a part of the table of commands. */
import type { CommandDef } from '../invocation/command.ts';
import { json, ofTrust, ofWork } from '../invocation/shared-options.ts';
import type { workAction } from './work-command.ts';

const loadAction = (name: Parameters<typeof workAction>[0]) => async () =>
	(await import('./work-command.ts')).workAction(name);
const ofJob = { operands: '<id>', operandCount: [1, 1], options: { json } } as const;

export const workCommands: readonly CommandDef[] = [
	{
		name: 'work add',
		summary: 'have `prowess serve` work on a prompt or run a script, in a worktree',
		operands: '"<prompt>" | - | script <file>',
		operandCount: [1, 2],
		options: {
			workspace: ofWork,
			trust: ofTrust,
			label: { value: 'NAME', isRepeatable: true, description: 'only for a worker with this label' },
			priority: { value: 'N', description: 'the highest is taken first (default: 0)' },
			json,
		},
		notes: ['What needs your approval waits for prowess work answer. See docs/background.md.'],
		load: loadAction('addJob'),
	},
	{
		name: 'work list',
		summary: 'list jobs, and how each stands',
		operandCount: [0, 0],
		options: { json },
		load: loadAction('listJobs'),
	},
	{ name: 'work show', summary: 'show a job: its question, or its result', ...ofJob, load: loadAction('showJob') },
	{
		name: 'work follow',
		summary: 'say how a job goes, until it has ended or asks something',
		...ofJob,
		notes: ['Exit code: 0 done, 1 failed or cancelled, 3 it waits for your answer.'],
		load: loadAction('followJob'),
	},
	{
		name: 'work answer',
		summary: 'answer what a job asks; it goes on with that',
		operands: '<id> yes | no ["<reason>"] | "<answer>"',
		operandCount: [2, 3],
		options: {},
		load: loadAction('answerJob'),
	},
	{ name: 'work cancel', summary: 'stop a job', ...ofJob, options: {}, load: loadAction('cancelJob') },
	{ name: 'work retry', summary: 'add a job that failed once more', ...ofJob, load: loadAction('retryJob') },
];
