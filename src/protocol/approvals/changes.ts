/** Host ↔ view: files a thread has changed since the user last kept them, with their before-images. */
import * as z from '../text/zod.ts';
import { ThreadId, threadParams } from '../rpc/ids.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** Author of a change that came after that of the owner, or that may be the owner's. */
export const ChangedBy = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('thread'), threadId: ThreadId }),
	/** In an editor of this window. */
	z.object({ kind: z.literal('person') }),
	z.object({ kind: z.literal('program') }),
	/** Stands for a change while a command of the owner ran, of which nothing shows whose it is. */
	z.object({ kind: z.literal('unknown') }),
]);
export type ChangedBy = z.infer<typeof ChangedBy>;

export const FileChange = z.object({
	path: z.string(),
	/** Absent: a file. */
	entry: z.enum(['link', 'folder']).optional(),
	kind: z.enum(['created', 'modified', 'deleted']),
	added: z.int().nonnegative(),
	removed: z.int().nonnegative(),
	/** Somebody has changed lines of this change since: undo would drop their work, so it asks first. */
	touchedSince: z.boolean(),
	/** Their names, as far as they are known; absent when nobody has. */
	since: z.array(ChangedBy).optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** Whose changes belong together: the id of a thread, or of an execution that the user started outside of any. */
export type ChangeOwner = string;

/** Changes of an owner, and what they have undone. */
const ListedChanges = z.object({
	changes: z.array(FileChange),
	/** Files whose last undo can be taken back. */
	undone: z.array(z.string()),
});

/** The same after keep, undo or redo. */
export const ChangesLeft = ListedChanges.extend({
	/** Files that were left alone because somebody has changed them since. */
	skipped: z.array(z.string()),
});
export type ChangesLeft = z.infer<typeof ChangesLeft>;

const changedPathsParams = threadParams.extend({ paths: z.array(z.string()).min(1).optional() });

export const changeRequests = {
	list: defineRequest('change/list', threadParams, ListedChanges),
	/** Opens the editor's diff of one file against what it would be without the thread's change. */
	show: defineRequest('change/show', threadParams.extend({ path: z.string() }), z.object({})),
	/** Accepts the given files (all without `paths`); their before-images are let go. */
	keep: defineRequest('change/keep', changedPathsParams, ChangesLeft),
	/** Takes the thread's changes back; files touched since are left alone unless `force`. */
	undo: defineRequest('change/undo', changedPathsParams.extend({ force: z.boolean().default(false) }), ChangesLeft),
	/** Takes the last undo back; files touched since are left alone. */
	redo: defineRequest('change/redo', threadParams, ChangesLeft),
} as const;

export const changeNotifications = {
	changed: defineNotification('change/changed', ListedChanges.extend({ threadId: ThreadId })),
} as const;
