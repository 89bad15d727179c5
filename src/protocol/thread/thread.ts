/**
 * The conversation about a conversation: view, CLI and extension ↔ server. Each change of a thread goes out as a numbered
 * update; a receiver that missed one asks for the snapshot again. `apply-update.ts` says what an update does to a snapshot.
 */
import * as z from '../text/zod.ts';
import { AllowedBy } from '../approvals/approvals.ts';
import { OpError } from '../broker.ts';
import { ContextRef } from './context.ts';
import { ProwessError } from '../errors.ts';
import { ImageId, ItemId, OpId, ThreadId, TurnId } from '../ids.ts';
import { ImageRef, MAX_IMAGE_CHARS } from './images.ts';
import { Effort } from '../models.ts';
import { FileDiff } from '../ops/definitions/files.ts';
import { InstructionsLeftOut } from '../ops/definitions/workspace.ts';
import { PermissionLevel } from '../approvals/permission-level.ts';
import { Shortened } from './shortened.ts';
import { TodoItem } from './todo-item.ts';
import { notification, request } from '../rpc/message.ts';

/** `agent` may use every tool, `ask` only those that read; `plan` reads, and proposes a plan whose approval makes it `agent`. */
export const Mode = z.enum(['agent', 'ask', 'plan']);
export type Mode = z.infer<typeof Mode>;

export const Usage = z.object({
	inputTokens: z.int().nonnegative(),
	outputTokens: z.int().nonnegative(),
	cachedInputTokens: z.int().nonnegative().default(0),
	/** Tokens of the last request, against the model's window. */
	contextTokens: z.int().nonnegative(),
	contextWindow: z.int().positive(),
	/** The provider gave no figures; these are our estimate. */
	estimated: z.boolean(),
	/** US dollars, of the requests whose model has a known price; absent: none had one. */
	cost: z.number().nonnegative().optional(),
	/** Other requests had no known price. */
	isCostPartial: z.boolean().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const TurnOutcome = z.enum(['done', 'failed', 'stopped', 'interrupted']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

const item = { id: ItemId, turnId: TurnId, at: z.iso.datetime() };

export const UserItem = z.object({
	...item,
	kind: z.literal('user'),
	text: z.string(),
	context: z.array(ContextRef),
	/** Sent while the turn ran: the model reads it with the results of the calls that ran then. */
	isSteering: z.boolean().optional(),
});
export type UserItem = z.infer<typeof UserItem>;
const TextItem = z.object({
	...item,
	kind: z.literal('text'),
	text: z.string(),
	done: z.boolean(),
	/** The model said that no reply is needed; `text` is empty. */
	silent: z.boolean().optional(),
});
const ThinkingItem = z.object({
	...item,
	kind: z.literal('thinking'),
	text: z.string(),
	done: z.boolean(),
	durationMs: z.number().nonnegative().optional(),
});

const ToolStatus = z.enum([
	'pending',
	'waiting',
	'running',
	'done',
	'failed',
	'denied',
	'cancelled',
	'interrupted',
	'inDoubt',
]);
type ToolStatus = z.infer<typeof ToolStatus>;

export const ToolItem = z.object({
	...item,
	kind: z.literal('tool'),
	opId: OpId,
	/** As the model called it; may name no tool of ours. */
	tool: z.string(),
	title: z.string(),
	input: z.unknown(),
	status: ToolStatus,
	/** Result as the model reads it, or streamed output while running; bounded for display. */
	output: z.string(),
	outputTruncated: z.boolean(),
	/** Words for the agent on a call that did not come to its result, where `output` is what it had said until then. */
	told: z.string().optional(),
	diff: FileDiff.optional(),
	exitCode: z.int().nullable().optional(),
	/** Whether it ran in a sandbox; absent for what is no command. */
	sandboxed: z.boolean().optional(),
	/** The command goes on, and nobody waits for it. */
	inBackground: z.literal(true).optional(),
	error: OpError.optional(),
	/** Rule or mode that answered in the user's place, where they would have been asked. */
	allowedBy: AllowedBy.optional(),
	startedAt: z.iso.datetime().optional(),
	durationMs: z.number().nonnegative().optional(),
});
export type ToolItem = z.infer<typeof ToolItem>;

/** A sentence of ours in the thread, with what the user can do about it. */
export const NoticeAction = z.enum(['connectModel', 'switchModel', 'retry', 'continue', 'showLogs', 'trustWorkspace']);
export type NoticeAction = z.infer<typeof NoticeAction>;
const NoticeItem = z.object({
	...item,
	kind: z.literal('notice'),
	level: z.enum(['info', 'warning', 'error']),
	text: z.string(),
	actions: z.array(NoticeAction),
	/** Error that the notice is about. */
	error: OpError.optional(),
	/**
	 * Outcome of a request to a model that failed: it is made again after `waitMs`, unless the user would rather have `next`
	 * now; or, with `failed`, `next` answers in its place. `text` says the same in English.
	 */
	attempt: z
		.object({
			error: OpError,
			waitMs: z.int().nonnegative().optional(),
			failed: z.string().optional(),
			next: z.string().optional(),
		})
		.optional(),
	/** Provider that is not asked first in this turn because it failed often, and who answers. `text` says the same in English. */
	passedOver: z.object({ provider: z.string(), faults: z.int().positive(), next: z.string() }).optional(),
	/** Pieces of the thread that were shortened for the model; `text` says in English that some were. */
	shortened: Shortened.optional(),
});
/** Notice before it has a place in a thread. */
export type Notice = Pick<
	z.infer<typeof NoticeItem>,
	'level' | 'text' | 'actions' | 'error' | 'attempt' | 'passedOver' | 'shortened'
>;

/** Files of the workspace that were told to the model, and those that were found and not told. */
const InstructionsItem = z.object({
	...item,
	kind: z.literal('instructions'),
	files: z.array(z.object({ path: z.string(), omitted: z.int().nonnegative() })),
	left: z.array(z.object({ path: z.string(), reason: InstructionsLeftOut })),
});
export type ToldInstructions = Pick<z.infer<typeof InstructionsItem>, 'files' | 'left'>;

/** Older messages of the thread, which the model is not shown any more. They stay where people read them. */
const CompactionItem = z.object({
	...item,
	kind: z.literal('compaction'),
	/** How many messages. */
	messages: z.int().nonnegative(),
	/** Words that stand in for them. */
	text: z.string(),
	/** Model that summarized them; absent: `text` is a list of what was done. */
	model: z.string().optional(),
});
export type ToldCompaction = Pick<z.infer<typeof CompactionItem>, 'messages' | 'text' | 'model'>;

export const Item = z.discriminatedUnion('kind', [
	UserItem,
	TextItem,
	ThinkingItem,
	ToolItem,
	NoticeItem,
	InstructionsItem,
	CompactionItem,
]);
export type Item = z.infer<typeof Item>;

export const ThreadInfo = z.object({
	id: ThreadId,
	title: z.string(),
	modelId: z.string().nullable(),
	mode: Mode,
	/** How hard its models think; absent: as the settings say of each, else as the model does by itself. */
	effort: Effort.optional(),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
	/** Absolute path of the first workspace folder it was begun in; null without a folder. */
	workspace: z.string().nullable(),
	running: z.boolean(),
	/** Permission level in force, where a host says it: the server knows none. */
	level: PermissionLevel.optional(),
	/** Turns that the last retry of an older message took away and that `restore` puts back; absent: there are none. */
	setAside: z.int().positive().optional(),
	/** Kind of the other process that works in it; absent when this one may. */
	heldBy: z.enum(['editor', 'cli']).optional(),
});
export type ThreadInfo = z.infer<typeof ThreadInfo>;

export const ThreadSnapshot = z.object({
	info: ThreadInfo,
	/** Number of the last update this snapshot includes. */
	seq: z.int().nonnegative(),
	/** The newest items, oldest first. */
	items: z.array(Item),
	/** Number of older items not in `items`. */
	earlier: z.int().nonnegative(),
	turnId: TurnId.nullable(),
	todos: z.array(TodoItem),
	usage: Usage.nullable(),
});
export type ThreadSnapshot = z.infer<typeof ThreadSnapshot>;

/** Fields of a tool card that change while it lives. */
export const ToolPatch = ToolItem.pick({
	title: true,
	status: true,
	output: true,
	outputTruncated: true,
	told: true,
	diff: true,
	exitCode: true,
	sandboxed: true,
	inBackground: true,
	error: true,
	allowedBy: true,
	startedAt: true,
	durationMs: true,
}).partial();
export type ToolPatch = z.infer<typeof ToolPatch>;

/** The closed union of everything that can happen to a thread; also one line each of `prowess run --json`. */
export const ThreadEvent = z.discriminatedUnion('type', [
	z.object({ type: z.literal('thread.changed'), info: ThreadInfo }),
	z.object({ type: z.literal('thread.deleted') }),
	/** Items of this turn and of all later ones are gone (edit, retry). */
	z.object({ type: z.literal('thread.cut'), turnIds: z.array(TurnId) }),
	z.object({ type: z.literal('turn.start'), turnId: TurnId, modelId: z.string() }),
	z.object({ type: z.literal('item.start'), item: Item }),
	/** Text to append to a text or thinking item, or to a tool's output. */
	z.object({ type: z.literal('item.delta'), itemId: ItemId, text: z.string() }),
	z.object({ type: z.literal('item.tool'), itemId: ItemId, patch: ToolPatch }),
	z.object({ type: z.literal('item.end'), itemId: ItemId, durationMs: z.number().nonnegative().optional() }),
	z.object({ type: z.literal('todos'), items: z.array(TodoItem) }),
	z.object({ type: z.literal('usage'), usage: Usage }),
	z.object({
		type: z.literal('turn.end'),
		turnId: TurnId,
		outcome: TurnOutcome,
		error: OpError.optional(),
		durationMs: z.number().nonnegative(),
	}),
]);
export type ThreadEvent = z.infer<typeof ThreadEvent>;

/** Events in order; `seq` is the number of the first, the next message continues after the last. */
export const ThreadUpdate = z.object({
	threadId: ThreadId,
	seq: z.int().positive(),
	events: z.array(ThreadEvent).min(1),
	/** True of what another process did to the thread: nothing of it was begun here. */
	isElsewhere: z.boolean().optional(),
});
export type ThreadUpdate = z.infer<typeof ThreadUpdate>;

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

const onThread = z.object({ threadId: ThreadId });
const nothing = z.object({});
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

export const threadRequests = {
	create: request(
		'thread/create',
		z.object({
			/** Id of a new thread, from a host that asks for more in it without waiting; absent: it gets one of the server's. */
			threadId: ThreadId.optional(),
			modelId: z.string().nullable().default(null),
			mode: Mode.default('agent'),
			effort: Effort.nullable().default(null),
		}),
		ThreadInfo,
	),
	/** Newest first; `query` searches titles and messages. */
	list: request(
		'thread/list',
		z.object({ query: z.string().max(500).optional(), limit: z.int().positive().max(1000).default(100) }),
		z.object({ threads: z.array(ThreadInfo) }),
	),
	/**
	 * The snapshot; updates with a higher `seq` follow for every thread, opened or not. With `follow`, also updates of what
	 * other processes write to it, until another thread is followed.
	 */
	open: request(
		'thread/open',
		z.object({
			threadId: ThreadId,
			items: z.int().positive().max(1000).default(200),
			follow: z.boolean().optional(),
		}),
		ThreadSnapshot,
	),
	/** Older items, oldest first: the `limit` ones before `before`. */
	earlier: request(
		'thread/earlier',
		z.object({ threadId: ThreadId, before: ItemId, limit: z.int().positive().max(1000).default(200) }),
		z.object({ items: z.array(Item), earlier: z.int().nonnegative() }),
	),
	/** Journals the user's message and starts a turn; answers as soon as both are durable. */
	prompt: request('thread/prompt', z.object(message), z.object({ turnId: TurnId })),
	/**
	 * Adds the user's message to the running turn: the model reads it after the calls that run now, or after its answer.
	 * Answers as soon as it is durable. Where no turn runs, or it has just come to its end, the message starts one.
	 */
	steer: request('thread/steer', z.object(message), z.object({ turnId: TurnId })),
	/**
	 * Stores a picture for a message that is yet to be sent, in base64; what the message then holds is the answer. Throws
	 * NOT_AN_IMAGE and IMAGE_TOO_LARGE.
	 */
	attach: request(
		'thread/attach',
		z.object({ data: z.base64().max(MAX_IMAGE_CHARS), name: z.string().max(4096).optional() }),
		ImageRef,
	),
	/** Output of a call, whole where its card shows a part of it. Null: it is no longer stored. */
	output: request(
		'thread/output',
		z.object({ threadId: ThreadId, opId: OpId }),
		z.object({ text: z.string().nullable() }),
	),
	/** Bytes of a picture, in base64; null: it is no longer stored. */
	image: request('thread/image', z.object({ id: ImageId }), z.object({ data: z.string().nullable() })),
	/** Drops the given turn and all later ones, then prompts again: with `text`, or with the same message. */
	rerun: request(
		'thread/rerun',
		z.object({
			threadId: ThreadId,
			turnId: TurnId,
			text: z.string().min(1).optional(),
			secrets: SecretsWish.optional(),
		}),
		z.object({ turnId: TurnId }),
	),
	/**
	 * Puts back what the last retry of an older message took away, in place of what has come since; called again, it swaps them
	 * back. Files stay as they are. The model is told with the next message. Rejects with INVALID_STATE when there is nothing.
	 */
	restore: request('thread/restore', onThread, nothing),
	/**
	 * Ends the running turn within 3 s and answers when it has ended; answers at once when no turn runs. Rejects with
	 * THREAD_BUSY when another process runs it.
	 */
	stop: request('thread/stop', onThread, nothing),
	/** Ends the wait before a request to a model is made again: the next model of the list answers. Without a wait it does nothing. */
	useNext: request('thread/useNext', onThread, nothing),
	/**
	 * Asks the process that works in the thread to stop its turn, and answers when the thread is free. Rejects with
	 * THREAD_BUSY when that process lives on and does not stop within 20 s.
	 */
	takeOver: request('thread/takeOver', onThread, nothing),
	/** Title, model, mode and effort: what is given changes. */
	update: request(
		'thread/set',
		z.object({
			threadId: ThreadId,
			title: z.string().min(1).max(200).optional(),
			modelId: z.string().nullable().optional(),
			mode: Mode.optional(),
			/** Null: as the settings say. */
			effort: Effort.nullable().optional(),
		}),
		ThreadInfo,
	),
	delete: request('thread/delete', onThread, nothing),
	export: request(
		'thread/export',
		z.object({ threadId: ThreadId, format: z.enum(['markdown', 'json']) }),
		z.object({ fileName: z.string(), text: z.string() }),
	),
} as const;

export const threadNotifications = {
	/** Server → host → view. Batched: at most one message per thread each 33 ms. */
	update: notification('thread/update', ThreadUpdate),
} as const;

/** Server → host: nobody waits any more for what the turn has left to run, unless it was done. */
export const turnNotifications = {
	ended: notification('turn/ended', z.object({ turnId: TurnId, outcome: TurnOutcome })),
} as const;
