/** Host ↔ view: a way back to any message of a thread, for its files, its conversation or both. */
import * as z from '../text/zod.ts';
import { TurnId, threadParams } from '../rpc/ids.ts';
import { defineRequest } from '../rpc/message.ts';
import { UserMessageContent } from './thread-requests.ts';

/** File that a restore would change, and how. */
export const RestoreFile = z.object({
	path: z.string(),
	/** Absent: a file. */
	entry: z.enum(['link', 'folder']).optional(),
	/** `returns`: it was deleted, and comes back; `goes`: it was created. */
	kind: z.enum(['changes', 'returns', 'goes']),
	/** Lines; none of what is no text. */
	added: z.int().nonnegative(),
	removed: z.int().nonnegative(),
	/**
	 * Reason why it would be left alone. `changed`: somebody else has changed what would go, so only with `force`. `lost`: what
	 * it held is not kept any more. `unreadable`: it cannot be read, has changes in the editor that are not saved, or is too large.
	 */
	hindrance: z.enum(['changed', 'lost', 'unreadable']).optional(),
});
export type RestoreFile = z.infer<typeof RestoreFile>;

export const RestoreDone = z.object({
	/** Number of files that changed. */
	restored: z.int().nonnegative(),
	/** Files that were left alone. */
	left: z.array(z.string()),
	/** Message that left the conversation, to be said again; null: none did. */
	said: UserMessageContent.nullable(),
});
export type RestoreDone = z.infer<typeof RestoreDone>;

export const LastRestore = z.object({
	/** Number of files that went back. */
	files: z.int().nonnegative(),
	conversation: z.boolean(),
	at: z.iso.datetime(),
});
export type LastRestore = z.infer<typeof LastRestore>;

const toMessage = threadParams.extend({ turnId: TurnId });

export const restoreRequests = {
	preview: defineRequest('restore/preview', toMessage, z.object({ files: z.array(RestoreFile) })),
	begin: defineRequest(
		'restore/begin',
		toMessage.extend({ files: z.boolean(), conversation: z.boolean(), force: z.boolean().default(false) }),
		RestoreDone,
	),
	redo: defineRequest('restore/redo', threadParams, RestoreDone),
	last: defineRequest('restore/last', threadParams, z.object({ last: LastRestore.nullable() })),
} as const;
