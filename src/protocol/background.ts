/**
 * Background host ↔ an editor or a command line that attaches to it. Messages are JSON lines over a socket that only their user
 * can open. The caller speaks first, and both ends prove that they can read the home.
 */
import { ThreadId } from './rpc/ids.ts';
import { defineNotification, defineRequest } from './rpc/message.ts';
import * as z from './text/zod.ts';

/** A piece of work that has come to its end. */
export const EndedWork = z.object({
	kind: z.enum(['schedule', 'goal', 'job']),
	/** Real path of the project. */
	folder: z.string(),
	title: z.string(),
	threadId: ThreadId,
	/** State at its end, as schedules, goals and jobs name it. */
	state: z.string(),
	/** Why it did not end well, in English; absent: it did, or nobody knows. */
	why: z.string().optional(),
	/** Milliseconds since 1970. */
	at: z.number(),
});
export type EndedWork = z.infer<typeof EndedWork>;

export const BackgroundState = z.object({
	pid: z.int(),
	version: z.string(),
	/** Milliseconds since 1970, like all times here. */
	startedAt: z.number(),
	/** Folders that are worked in now, each by a process of its own. */
	working: z.array(z.object({ folder: z.string(), pid: z.int(), since: z.number() })),
	/** Folders in which there is something to do and nothing is done. */
	waiting: z.array(z.object({ folder: z.string(), why: z.enum(['gone', 'untrusted', 'failed']) })),
	/** Null: nothing is scheduled. */
	nextDue: z.number().nullable(),
	/** The last ones, newest first. */
	ended: z.array(EndedWork),
});
export type BackgroundState = z.infer<typeof BackgroundState>;

const Proof = z.string().max(200);

/** Served to whoever connects. */
export const greetingRequests = {
	/** The proof is of the caller's nonce: it knows then whom it talks to. */
	greet: defineRequest('background/greet', z.object({ nonce: Proof }), z.object({ nonce: Proof, proof: Proof })),
	/** Proof of the host's nonce; all else is served after it. */
	prove: defineRequest('background/prove', z.object({ proof: Proof }), z.object({})),
} as const;

/** Served once the caller has proved itself. */
export const backgroundRequests = {
	state: defineRequest('background/state', z.object({}), BackgroundState),
	/** Looks now for what there is to do, without waiting for the next time. */
	look: defineRequest('background/look', z.object({}), z.object({})),
	/** Request that is answered before the host ends. Work under way is stopped; the next host goes on with goals. */
	stop: defineRequest('background/stop', z.object({}), z.object({})),
} as const;

/** To all that have attached. */
export const backgroundNotifications = {
	ended: defineNotification('background/ended', EndedWork),
} as const;
