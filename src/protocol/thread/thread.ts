/**
 * A thread as it is told: view, CLI and extension ↔ server. Each change of a thread goes out as a numbered update; a receiver
 * that missed one asks for the snapshot again. `apply-update.ts` says what an update does to a snapshot.
 */
import { TodoItem } from '../ops/define-op.ts';
import { QuotaUse } from '../turn/usage.ts';
import * as z from '../text/zod.ts';
import { RunStep } from '../turn/run-steps.ts';
import { OpError } from '../turn/broker.ts';
import { ItemId, ThreadId, TurnId } from '../rpc/ids.ts';
import { Effort } from '../turn/models.ts';
import { PermissionLevel } from '../ops/permission-level.ts';
import { ThreadItem, ToolPatch } from './items.ts';

/** `agent` may use every tool, `ask` only those that read; `plan` reads, and proposes a plan whose approval makes it `agent`. */
export const Mode = z.enum(['agent', 'ask', 'plan']);
export type Mode = z.infer<typeof Mode>;

/** Place of a thread in the list, if the user has put it there. */
export const Shelf = z.enum(['pinned', 'archived']);
export type Shelf = z.infer<typeof Shelf>;

/** Strategy: the way a message is worked on, chosen before any model is asked (S0-03), from a closed set. */
/** `GOAL_STEP`: a step of a goal, which ends with a verdict; only the host that works on the goal chooses it. */
export const Strategy = z.enum(['DIRECT_RESPONSE', 'GOAL', 'GOAL_STEP', 'SCHEDULED_TASK', 'SUB_AGENT', 'SCRIPT']);
export type Strategy = z.infer<typeof Strategy>;

/** Tokens of the window by what they are. Estimated; the sum is as counted. */
const ContextTokens = z.object({
	/** Instructions of ours, rules of the project. */
	rules: z.int().nonnegative(),
	/** Descriptions of tools. */
	tools: z.int().nonnegative(),
	/** Files and pictures that the user attached. */
	files: z.int().nonnegative(),
	/** Results of calls, as they were returned. */
	results: z.int().nonnegative(),
	conversation: z.int().nonnegative(),
});
export type ContextTokens = z.infer<typeof ContextTokens>;

export const Usage = z.object({
	inputTokens: z.int().nonnegative(),
	outputTokens: z.int().nonnegative(),
	cachedInputTokens: z.int().nonnegative().default(0),
	/** Tokens of the last request, against the model's window. */
	contextTokens: z.int().nonnegative(),
	contextWindow: z.int().positive(),
	/** Contents of the window; absent: not known of the last request. */
	contextParts: ContextTokens.optional(),
	/** The provider gave no figures; these are our estimate. */
	estimated: z.boolean(),
	/** US dollars, of the requests whose model has a known price; absent: none had one. */
	cost: z.number().nonnegative().optional(),
	/** The same of the turn alone, as far as it has come, and of the last request. */
	turnCost: z.number().nonnegative().optional(),
	requestCost: z.number().nonnegative().optional(),
	/** Other requests had no known price. */
	isCostPartial: z.boolean().optional(),
	/** Quotas that the user has set, and what is used of each, of all threads. */
	quotas: z.array(QuotaUse).optional(),
});
export type Usage = z.infer<typeof Usage>;

export const TurnOutcome = z.enum(['done', 'failed', 'stopped', 'interrupted']);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

export const ThreadInfo = z.object({
	id: ThreadId,
	title: z.string(),
	modelId: z.string().nullable(),
	mode: Mode,
	/** Effort of thinking of its models; absent: as the settings say for each, else as the model does by itself. */
	effort: Effort.optional(),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
	/** Absolute path of the first workspace folder it was begun in; null without a folder. */
	workspace: z.string().nullable(),
	shelf: Shelf.optional(),
	/** Thread that it works for, of a sub-agent. */
	parent: ThreadId.optional(),
	/** Custom agent that the user's own thread follows. */
	agent: z.string().optional(),
	running: z.boolean(),
	/** Permission level in force, where a host says it: the server knows none. */
	level: PermissionLevel.optional(),
	/** With `level`: whether that host asks nobody, and denies what the level does not let pass. */
	isUnattended: z.boolean().optional(),
	/** Turns that the last retry of an older message, or way back to one, took away and that `restore` puts back; absent: there are none. */
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
	items: z.array(ThreadItem),
	/** Number of older items not in `items`. */
	earlier: z.int().nonnegative(),
	turnId: TurnId.nullable(),
	todos: z.array(TodoItem),
	usage: Usage.nullable(),
});
export type ThreadSnapshot = z.infer<typeof ThreadSnapshot>;

/** The closed union of everything that can happen to a thread; also one line each of `prowess run --json`. */
export const ThreadEvent = z.discriminatedUnion('type', [
	z.object({ type: z.literal('thread.changed'), info: ThreadInfo }),
	z.object({ type: z.literal('thread.deleted') }),
	/** Items of this turn and of all later ones are gone (edit, retry). */
	z.object({ type: z.literal('thread.cut'), turnIds: z.array(TurnId) }),
	z.object({ type: z.literal('turn.start'), turnId: TurnId, modelId: z.string() }),
	/** Another model answers from now on: the one before could not (S1-27). */
	z.object({ type: z.literal('turn.model'), turnId: TurnId, modelId: z.string() }),
	z.object({ type: z.literal('item.start'), item: ThreadItem }),
	/** Text to append to a text or thinking item, or to a tool's output. */
	z.object({ type: z.literal('item.delta'), itemId: ItemId, text: z.string() }),
	z.object({ type: z.literal('item.tool'), itemId: ItemId, patch: ToolPatch }),
	/** Step of the capability that a call runs, or a new state of an earlier one, by its `id`. */
	z.object({ type: z.literal('item.step'), itemId: ItemId, step: RunStep }),
	/** Text that was no true answer: it is gone, and what follows takes its place. */
	z.object({ type: z.literal('item.revised'), itemId: ItemId }),
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

/** The folder a thread was begun in, by its name, where it is none of these; undefined where it is, or was begun without one. */
export function otherFolder(
	{ workspace }: Pick<ThreadInfo, 'workspace'>,
	folders: readonly string[],
): string | undefined {
	return workspace === null || folders.includes(workspace)
		? undefined
		: (workspace.split(/[\\/]/).findLast((name) => name !== '') ?? workspace);
}
