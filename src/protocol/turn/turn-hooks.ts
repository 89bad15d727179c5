/** Server → host: moments of a turn at which hooks of the user and of plugins run. The host alone knows which, and runs them. */
import { ThreadId, TurnId } from '../rpc/ids.ts';
import { defineRequest } from '../rpc/message.ts';
import * as z from '../text/zod.ts';

/** Texts beyond this are cut before they are sent. */
export const MAX_LAST_WORDS = 20_000;

export const turnHookRequests = {
	/** The agent is about to rest. `again`: reason why a hook has it go on; null: it rests. */
	resting: defineRequest(
		'hook/resting',
		z.object({
			threadId: ThreadId,
			turnId: TurnId,
			/** A hook has had it go on already. */
			isAgain: z.boolean(),
			/** Answer that it would end with. */
			text: z.string().max(MAX_LAST_WORDS),
		}),
		z.object({ again: z.string().nullable() }),
	),
	/** Older messages are about to leave the conversation. Answers when the hooks have ended. */
	compacting: defineRequest(
		'hook/compacting',
		z.object({ threadId: ThreadId, trigger: z.enum(['auto', 'manual']), keep: z.string().max(10_000) }),
		z.object({}),
	),
} as const;
