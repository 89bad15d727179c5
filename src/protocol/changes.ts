/** Host ↔ view: files a thread has changed since the user last kept them, with their before-images. */
import * as z from './zod.ts';
import { ThreadId } from './ids.ts';
import { notification, request } from './rpc/message.ts';

export const FileChange = z.object({
	path: z.string(),
	kind: z.enum(['created', 'modified', 'deleted']),
	added: z.int().nonnegative(),
	removed: z.int().nonnegative(),
	/** The file has changed since our last write: undo would drop somebody else's work, so it asks first. */
	touchedSince: z.boolean(),
});
export type FileChange = z.infer<typeof FileChange>;

/** Whose changes belong together: the id of a thread, or of an execution that the user started outside of any. */
export type ChangeOwner = string;

const which = z.object({ threadId: ThreadId, paths: z.array(z.string()).min(1).optional() });

export const changeRequests = {
	list: request('change/list', z.object({ threadId: ThreadId }), z.object({ changes: z.array(FileChange) })),
	/** Opens the editor's diff of one file against its before-image. */
	show: request('change/show', z.object({ threadId: ThreadId, path: z.string() }), z.object({})),
	/** Accepts the given files (all without `paths`); their before-images are let go. */
	keep: request('change/keep', which, z.object({ changes: z.array(FileChange) })),
	/** Restores the before-images; files touched since are left alone unless `force`, and named in `skipped`. */
	undo: request(
		'change/undo',
		which.extend({ force: z.boolean().default(false) }),
		z.object({ changes: z.array(FileChange), skipped: z.array(z.string()) }),
	),
} as const;

export const changeNotifications = {
	changed: notification('change/changed', z.object({ threadId: ThreadId, changes: z.array(FileChange) })),
} as const;
