/** `prowess worktree …`: a part of the table of commands. */
import { anyNumber, type CommandDef, type OptionDef } from '../invocation/command.ts';
import { json, ofTrust } from '../invocation/shared-options.ts';

const ofProject = {
	workspace: { value: 'DIR', description: 'folder whose worktrees they are (default: current folder)' },
	trust: ofTrust,
} as const satisfies Record<string, OptionDef>;
const commitText = {
	value: 'TEXT',
	description: 'message of the commit for what is uncommitted in the worktree',
} as const;
const yes = { description: 'do not ask' } as const;

export const worktreeCommands: readonly CommandDef[] = [
	{
		name: 'worktree list',
		summary: 'list the worktrees of a folder, with their state, age and size',
		operandCount: [0, 0],
		options: { ...ofProject, json },
		notes: ['prowess run --worktree NAME "…" makes one. What a killed command has left half made is removed.'],
		load: async () => (await import('./worktrees.ts')).listWorktrees,
	},
	{
		name: 'worktree show',
		summary: 'show what a worktree has changed',
		operands: '<name>',
		operandCount: [1, 1],
		options: {
			...ofProject,
			diff: { description: 'print the changes as a patch' },
			path: { description: 'print only the folder to work in' },
			json,
		},
		load: async () => (await import('./worktrees.ts')).showWorktree,
	},
	{
		name: 'worktree apply',
		summary: 'bring the changes of a worktree into the folder, uncommitted',
		operands: '<name> [<path>…]',
		operandCount: [1, anyNumber],
		options: {
			...ofProject,
			take: {
				value: 'SIDE',
				choices: ['worktree', 'workspace'],
				description: 'whose file counts where both have changed the same lines; for the paths you name',
			},
			json,
		},
		notes: [
			'Changes of both sides are merged. Where they conflict, the file in the folder stays as it is and is named.',
			'The changes can be undone: prowess change undo. Exit code 1 when something was left.',
		],
		load: async () => (await import('./worktrees.ts')).applyWorktree,
	},
	{
		name: 'worktree merge',
		summary: 'commit the work of a worktree and merge it into the branch of the folder',
		operands: '<name>',
		operandCount: [1, 1],
		options: { ...ofProject, message: commitText },
		notes: ['With a conflict nothing is changed, and the files are named. Exit code 1 then.'],
		load: async () => (await import('./worktrees.ts')).mergeWorktree,
	},
	{
		name: 'worktree rebase',
		summary: 'put the work of a worktree on top of the commit that the folder has now',
		operands: '<name>',
		operandCount: [1, 1],
		options: { ...ofProject, message: commitText },
		notes: ['With a conflict nothing is changed, and the files are named. Exit code 1 then.'],
		load: async () => (await import('./worktrees.ts')).rebaseWorktreeCommand,
	},
	{
		name: 'worktree branch',
		summary: 'commit the work of a worktree, keep its branch and remove the worktree',
		operands: '<name> [<branch>]',
		operandCount: [1, 2],
		options: { ...ofProject, message: commitText, yes },
		load: async () => (await import('./worktrees.ts')).branchWorktree,
	},
	{
		name: 'worktree discard',
		summary: 'remove a worktree with its branch and all that is in it',
		operands: '<name>',
		operandCount: [1, 1],
		options: { ...ofProject, yes },
		notes: ['It says what would be lost before it asks.'],
		load: async () => (await import('./worktrees.ts')).discardWorktree,
	},
];
