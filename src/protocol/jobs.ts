/** Jobs on which the agent works: what whoever adds, carries out and answers one writes down for the others. */
import { ThreadId } from './rpc/ids.ts';
import * as z from './text/zod.ts';

/** Wish of a job. No right is in it: those of the machine and the folder count. A wish with anything else is refused. */
export const PromptWish = z.strictObject({
	prompt: z.string().trim().min(1),
	/** Text of a script, whose steps are run instead of a turn. The prompt only names it. */
	script: z.string().min(1).optional(),
	/** Real path. */
	folder: z.string().min(1),
});
export type PromptWish = z.infer<typeof PromptWish>;

/** Question over which a job is parked. */
export const JobAsks = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('approval'),
		/** Hash of all that would happen: a yes counts for exactly that. */
		digest: z.string(),
		title: z.string(),
		/** All that would happen, as a terminal shows it. */
		shown: z.string(),
		/** Reach of a yes: this once, or the whole thread in the words of `scope`. Null: only a no can be given from elsewhere. */
		yes: z.enum(['once', 'thread']).nullable(),
		scope: z.string(),
	}),
	z.object({ kind: z.literal('words'), digest: z.string(), shown: z.string(), options: z.array(z.string()) }),
]);
export type JobAsks = z.infer<typeof JobAsks>;

export const JobAnswer = z.object({
	questionId: z.string(),
	digest: z.string(),
	isYes: z.boolean(),
	/** Reason of a no, or the words that answer. */
	words: z.string(),
	/** The question in one line, for the model. */
	asked: z.string(),
});
export type JobAnswer = z.infer<typeof JobAnswer>;

/** Result of a job that is done. */
export const PromptResult = z.object({
	threadId: ThreadId,
	worktree: z.string(),
	/** Null: the folder is in no repository, and its worktree is a copy. */
	branch: z.string().nullable(),
	/** The first of the changed files. */
	files: z.array(z.object({ path: z.string(), kind: z.enum(['added', 'changed', 'deleted']) })),
	/** Number of changed files. */
	changed: z.int(),
	/** Lines. */
	added: z.int(),
	removed: z.int(),
	/** True where nothing could be changed, because this machine has no sandbox. */
	onlyRead: z.boolean(),
});
export type PromptResult = z.infer<typeof PromptResult>;
