/** The conversation about a conversation: what view, CLI and extension ask of the server about threads, and what it tells them. */
import * as z from '../text/zod.ts';
import { ContextRef } from './context.ts';
import { ProwessError } from '../errors/errors.ts';
import { ImageId, ItemId, OpId, ThreadId, TurnId, threadParams } from '../rpc/ids.ts';
import { ImageRef, MAX_IMAGE_CHARS } from '../ops/images.ts';
import { AgentSender, ThreadItem, UserItem } from './items.ts';
import { Judgement } from '../turn/judgement.ts';
import { Effort } from '../turn/models.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';
import { Mode, Shelf, Strategy, ThreadInfo, ThreadSnapshot, ThreadUpdate, TurnOutcome } from './thread.ts';

/** S2-02: JavaScript string length; 128,000 is accepted. */
const MAX_MESSAGE_LENGTH = 128_000;

/** Throws MESSAGE_TOO_LONG for a message that no thread takes. */
export function refuseLongMessage({ length }: string): void {
	if (length > MAX_MESSAGE_LENGTH) {
		const message = `the message has ${length} characters, ${MAX_MESSAGE_LENGTH} are allowed`;
		throw new ProwessError('MESSAGE_TOO_LONG', message, { length, limit: MAX_MESSAGE_LENGTH });
	}
}

/** Number of secrets in a message of the user: values that the host knows, and what only looks like a secret. */
export const FoundSecrets = z.object({ known: z.int().nonnegative(), lookalikes: z.int().nonnegative() });
export type FoundSecrets = z.infer<typeof FoundSecrets>;

/**
 * Wish for the secrets in a message: `ask`, also when absent, refuses it with SECRETS_IN_MESSAGE, `remove` sends it without them, `keep` sends
 * what only looks like a secret. For the host, which removes known values in any case; the server is sent the result.
 */
export const SecretsWish = z.enum(['ask', 'remove', 'keep']);
export type SecretsWish = z.infer<typeof SecretsWish>;

/** Words of the user, and what they attached to them. */
export const UserMessageContent = UserItem.pick({ text: true, context: true });
export type UserMessageContent = z.infer<typeof UserMessageContent>;

/** Limits and temperature of one message (S1-16, S1-17); absent: as the agent of the thread and the settings say. */
export const PromptOptions = z.object({
	/** Rounds of tool calls before the turn ends. */
	rounds: z.int().min(1).max(500).optional(),
	temperature: z.number().min(0).max(2).optional(),
	/** US dollars that its requests to models may cost: none is sent once they have. */
	maxCost: z.number().positive().max(100_000).optional(),
});
export type PromptOptions = z.infer<typeof PromptOptions>;

/** The same as the file of an agent sets them, and the earlier messages that its turns begin with at most (S2-20). */
export const AgentTurnOptions = PromptOptions.omit({ maxCost: true }).extend({
	earlierMessages: z.int().min(1).max(100_000).optional(),
});
export type AgentTurnOptions = z.infer<typeof AgentTurnOptions>;

/** Name and instructions of a sub-agent, and the ops that it is offered. */
export const AgentOfThread = z.object({
	/** Absent: of the user's own thread, which follows a custom agent. */
	parent: ThreadId.optional(),
	name: z.string().max(200),
	instructions: z.string().max(500_000).optional(),
	/** Ops that its model is offered; absent: all of its mode. */
	ops: z.array(z.string()).optional(),
	/** Options of each of its turns. */
	options: AgentTurnOptions.optional(),
});
export type AgentOfThread = z.infer<typeof AgentOfThread>;

const emptyResult = z.object({});
const message = {
	threadId: ThreadId,
	text: z.string().min(1),
	context: z.array(ContextRef).max(100).default([]),
	secrets: SecretsWish.optional(),
	/**
	 * Id of the message, given by whoever wrote it: its item gets it. A message sent again with the same id, because the
	 * answer was lost, is not taken twice.
	 */
	messageId: ItemId.optional(),
};

/** `goOn`: after a guard has stopped the turn. `confirm`: what its answer claims was done. `switchOn`: what is off is wanted back. */
const OverruleHow = z.discriminatedUnion('act', [
	z.object({ act: z.enum(['goOn', 'confirm']) }),
	z.object({ act: z.literal('switchOn'), judgement: Judgement }),
]);
export type OverruleHow = z.infer<typeof OverruleHow>;

export const threadRequests = {
	create: defineRequest(
		'thread/create',
		z.object({
			/** Id of a new thread, from a host that asks for more in it without waiting; absent: it gets one of the server's. */
			threadId: ThreadId.optional(),
			modelId: z.string().nullable().default(null),
			mode: Mode.default('agent'),
			effort: Effort.nullable().default(null),
			/** Makes it a sub-agent. Not for a page: the host keeps what it may do, and says here what it is told. */
			agent: AgentOfThread.optional(),
			/** Folder of the worktree that it works in; absent: it works in the first one of the workspace. */
			folder: z.string().max(4_096).optional(),
		}),
		ThreadInfo,
	),
	/** Newest first; `query` searches titles and messages. */
	list: defineRequest(
		'thread/list',
		z.object({ query: z.string().max(500).optional(), limit: z.int().positive().max(1000).default(100) }),
		z.object({ threads: z.array(ThreadInfo) }),
	),
	/** Titles of those of the threads that there are, sub-agents too. */
	titles: defineRequest(
		'thread/titles',
		z.object({ threadIds: z.array(ThreadId).max(500) }),
		z.object({ threads: z.array(ThreadInfo.pick({ id: true, title: true })) }),
	),
	/**
	 * The snapshot; updates with a higher `seq` follow for every thread, opened or not. With `follow`, also updates of what
	 * other processes write to it, until another thread is followed.
	 */
	open: defineRequest(
		'thread/open',
		z.object({
			threadId: ThreadId,
			items: z.int().positive().max(1000).default(200),
			follow: z.boolean().optional(),
		}),
		ThreadSnapshot,
	),
	/** Older items, oldest first: the `limit` ones before `before`. */
	earlier: defineRequest(
		'thread/earlier',
		z.object({ threadId: ThreadId, before: ItemId, limit: z.int().positive().max(1000).default(200) }),
		z.object({ items: z.array(ThreadItem), earlier: z.int().nonnegative() }),
	),
	/** The user's messages that began a turn, oldest first: the page after a place of an earlier answer. */
	messages: defineRequest(
		'thread/messages',
		z.object({ threadId: ThreadId, after: z.int().nonnegative().optional() }),
		z.object({
			messages: z.array(UserItem.pick({ turnId: true, at: true, text: true })),
			/** Null: there are no more. */
			next: z.int().nonnegative().nullable(),
		}),
	),
	/** Journals the user's message and starts a turn; answers as soon as both are durable. */
	prompt: defineRequest(
		'thread/prompt',
		/** `strategy`: the user has chosen it; absent: it is chosen by what the message says. */
		z.object({ ...message, strategy: Strategy.optional(), options: PromptOptions.optional() }),
		z.object({ turnId: TurnId }),
	),
	/**
	 * Adds the user's message to the running turn: the model reads it after the calls that run now, or after its answer.
	 * Answers as soon as it is durable. Where no turn runs, or it has just come to its end, the message starts one.
	 */
	steer: defineRequest('thread/steer', z.object(message), z.object({ turnId: TurnId })),
	/**
	 * For the host: as `steer`, with the words of another agent of the tree. A turn of a sub-agent begins with them; in a thread
	 * of the user none does: without one that runs there, this rejects with INVALID_STATE.
	 */
	tell: defineRequest(
		'thread/tell',
		z.object({ threadId: ThreadId, text: z.string().min(1), from: AgentSender }),
		z.object({ turnId: TurnId }),
	),
	/**
	 * Stores a picture for a message that is yet to be sent, in base64; what the message then holds is the answer. Throws
	 * NOT_AN_IMAGE and IMAGE_TOO_LARGE.
	 */
	attach: defineRequest(
		'thread/attach',
		z.object({ data: z.base64().max(MAX_IMAGE_CHARS), name: z.string().max(4096).optional() }),
		ImageRef,
	),
	/** Words of a thread and what was done in it, as text, oldest first. */
	words: defineRequest('thread/words', threadParams, z.object({ text: z.string() })),
	/** Output of a call, whole where its card shows a part of it. Null: it is no longer stored. */
	output: defineRequest(
		'thread/output',
		z.object({ threadId: ThreadId, opId: OpId }),
		/** `input`: as the model called it, without secrets; absent like `text`. */
		z.object({ text: z.string().nullable(), input: z.unknown().optional() }),
	),
	/** Bytes of a picture, in base64; null: it is no longer stored. */
	image: defineRequest('thread/image', z.object({ id: ImageId }), z.object({ data: z.string().nullable() })),
	/** Drops the given turn and all later ones, then prompts again: with `text`, or with the same message. */
	rerun: defineRequest(
		'thread/rerun',
		z.object({
			threadId: ThreadId,
			turnId: TurnId,
			text: z.string().min(1).optional(),
			secrets: SecretsWish.optional(),
			strategy: Strategy.optional(),
		}),
		z.object({ turnId: TurnId }),
	),
	/**
	 * Puts back what was taken away last, in place of what has come since; called again, it swaps them back. Files stay as
	 * they are. The model is told with the next message. Rejects with INVALID_STATE when there is nothing.
	 */
	restore: defineRequest(
		'thread/restore',
		/** First turn of what is to be put back; absent: whatever was removed last. Anything else is refused. */
		z.object({ threadId: ThreadId, turnId: TurnId.optional() }),
		emptyResult,
	),
	/**
	 * For the host, which restores files with it: drops the given turn and all later ones, and keeps them for `restore`. The
	 * model is told with the next message. Rejects with TURN_RUNNING, and with TURN_NOT_FOUND where there is no such turn any more.
	 */
	rewind: defineRequest(
		'thread/rewind',
		z.object({ threadId: ThreadId, turnId: TurnId, files: z.enum(['restored', 'kept']) }),
		z.object({ turnIds: z.array(TurnId) }),
	),
	/** Words of the user in a turn. Rejects with TURN_NOT_FOUND. */
	said: defineRequest('thread/said', z.object({ threadId: ThreadId, turnId: TurnId }), UserMessageContent),
	/**
	 * Begins another thread with the messages of this one before the given turn, or with all of them. Words of the user in
	 * that turn are the answer's `said`, and not in the new thread. Rejects with TURN_RUNNING and TURN_NOT_FOUND.
	 */
	fork: defineRequest(
		'thread/fork',
		z.object({ threadId: ThreadId, before: TurnId.optional() }),
		z.object({ thread: ThreadInfo, said: UserMessageContent.nullable() }),
	),
	/**
	 * Ends the running turn within 3 s and answers when it has ended; answers at once when no turn runs. Rejects with
	 * THREAD_BUSY when another process runs it.
	 */
	stop: defineRequest('thread/stop', threadParams, emptyResult),
	/** Ends the wait before a request to a model is made again: the next model of the list answers. Without a wait it does nothing. */
	useNext: defineRequest('thread/useNext', threadParams, emptyResult),
	/**
	 * Asks the process that works in the thread to stop its turn, and answers when the thread is free. Rejects with
	 * THREAD_BUSY when that process lives on and does not stop within 20 s.
	 */
	takeOver: defineRequest('thread/takeOver', threadParams, emptyResult),
	/**
	 * The user overrules what was judged in a turn. Told twice, it counts once. Rejects with TURN_NOT_FOUND.
	 */
	overrule: defineRequest(
		'thread/overrule',
		z.object({
			threadId: ThreadId,
			turnId: TurnId,
			how: OverruleHow,
		}),
		emptyResult,
	),
	/** Title, model, mode and effort: what is given changes. */
	update: defineRequest(
		'thread/set',
		z.object({
			threadId: ThreadId,
			title: z.string().min(1).max(200).optional(),
			modelId: z.string().nullable().optional(),
			mode: Mode.optional(),
			/** Null: as the settings say. */
			effort: Effort.nullable().optional(),
			/** Null: in the list as any other. */
			shelf: Shelf.nullable().optional(),
		}),
		ThreadInfo,
	),
	/**
	 * Threads of the folder that nobody has used since `before` (ISO), the longest unused first: neither pinned, nor running, nor
	 * a sub-agent's, nor one whose sub-agents were used since or are pinned.
	 */
	unused: defineRequest(
		'thread/unused',
		z.object({ before: z.iso.datetime(), limit: z.int().positive().max(1000) }),
		z.object({ threadIds: z.array(ThreadId) }),
	),
	/** With `unusedSince` (ISO), rejects with INVALID_STATE for a thread that `unused` would not name. */
	delete: defineRequest(
		'thread/delete',
		z.object({ threadId: ThreadId, unusedSince: z.iso.datetime().optional() }),
		emptyResult,
	),
	export: defineRequest(
		'thread/export',
		z.object({ threadId: ThreadId, format: z.enum(['markdown', 'json']) }),
		z.object({ fileName: z.string(), text: z.string() }),
	),
} as const;

export const threadNotifications = {
	/** Server → host → view. Batched: at most one message per thread each 33 ms. */
	update: defineNotification('thread/update', ThreadUpdate),
} as const;

/** Server → host: nobody waits any more for what the turn has left to run, unless it was done. */
export const turnNotifications = {
	ended: defineNotification('turn/ended', z.object({ turnId: TurnId, outcome: TurnOutcome })),
} as const;
