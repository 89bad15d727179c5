/** Files in which the people of a workspace write down for agents how to work in it. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const instructionPath = z.string().min(1).max(4096);
const readsForAgent = {
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 30_000,
	callers: ['agent'],
	isHousekeeping: true,
} as const;

/** File of instructions, as it is told to the model. */
const InstructionFile = z.object({
	path: z.string(),
	text: z.string(),
	/** Characters at its end that are left out. */
	omitted: z.int().nonnegative(),
	/** Globs of the files it is about; absent: all at and below its folder. */
	appliesTo: z.array(z.string()).optional(),
	/** File that names it with `@path`. */
	importedBy: z.string().optional(),
});

/** Reason for which a file that was found is not told. */
export const InstructionsLeftOut = z.enum(['outside', 'secret', 'unreadable', 'missing', 'tooMany', 'planted']);

export const workspaceChanges = defineOp({
	params: z.strictObject({}),
	result: z.object({
		files: z.array(
			z.object({
				path: z.string(),
				what: z.enum(['undone', 'changed', 'removed']),
				/** Stands for the text that is there since the write: another text, or another write, has another one. */
				now: z.string(),
			}),
		),
	}),
	...readsForAgent,
	title: () => text('See which files have changed since they were written'),
	present: ({ files }) => files.map(({ path, what }) => `${path}: ${what}`).join('\n') || 'None has.',
});

export const workspaceInstructions = defineOp({
	params: z.strictObject({
		/** Files and folders that are worked on: nested instructions and rules by glob are those for them. */
		touched: z.array(instructionPath).max(500).default([]),
		/** Paths of files that were told before. */
		told: z.array(instructionPath).max(1_000).default([]),
		/** Paths of those that are to be looked at again. */
		again: z.array(instructionPath).max(1_000).default([]),
	}),
	result: z.object({
		/** Files that hold more widely first: where two disagree, the later one counts. */
		files: z.array(InstructionFile),
		/** Files of `again` that are there, as they are now. */
		again: z.array(InstructionFile).default([]),
		gone: z.array(z.string()).default([]),
		/** Not told, but to be read by whoever works on what they describe. */
		offered: z.array(z.object({ path: z.string(), description: z.string() })),
		left: z.array(z.object({ path: z.string(), reason: InstructionsLeftOut })),
	}),
	...readsForAgent,
	title: ({ touched }) =>
		touched === undefined || touched.length === 0
			? text('Read the instructions of the workspace')
			: text('Read the instructions for what is worked on'),
	present: ({ files, left }) =>
		[
			...files.map((file) => file.path + (file.omitted === 0 ? '' : ` (without its last ${file.omitted} characters)`)),
			...left.map((file) => `${file.path}: left out, ${file.reason}`),
		].join('\n') || 'There are none.',
});
