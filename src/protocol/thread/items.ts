/** Items of a thread, in the order they came: messages, thoughts, tool calls, notices. */
import * as z from '../text/zod.ts';
import { TestCounts } from '../receipts/effect-receipt.ts';
import { DrawnResult } from '../text/output-view.ts';
import { AllowedBy } from '../approvals/approvals.ts';
import { OpError, Paced } from '../turn/broker.ts';
import { ContextRef } from './context.ts';
import { ItemId, OpId, ThreadId, TurnId } from '../rpc/ids.ts';
import { RunStep } from '../turn/run-steps.ts';
import { ImageRef } from '../ops/images.ts';
import { FileDiff } from '../ops/definitions/files/files.ts';
import { InstructionsLeftOut } from '../ops/definitions/agent/workspace.ts';
import { ServedModel } from './served.ts';
import { Shortened } from './shortened.ts';
import { SaidText } from '../text/said-text.ts';
import { Judgement } from '../turn/judgement.ts';
import { QuotaUse } from '../turn/usage.ts';

const itemFields = { id: ItemId, turnId: TurnId, at: z.iso.datetime() };

/** Another agent of the same tree, which wrote a message. */
export const AgentSender = z.object({ id: ThreadId, name: z.string().max(200) });
export type AgentSender = z.infer<typeof AgentSender>;

export const UserItem = z.object({
	...itemFields,
	kind: z.literal('user'),
	text: z.string(),
	context: z.array(ContextRef),
	/** Sent while the turn ran: the model reads it with the results of the calls that ran then. */
	isSteering: z.boolean().optional(),
	/** Absent: the user wrote it, or the agent that this one works for. */
	from: AgentSender.optional(),
});
export type UserItem = z.infer<typeof UserItem>;
const TextItem = z.object({
	...itemFields,
	kind: z.literal('text'),
	text: z.string(),
	done: z.boolean(),
	/** The model said that no reply is needed; `text` is empty. */
	silent: z.boolean().optional(),
	/** The endpoint answered with another model; said once in a thread for each such model. */
	served: ServedModel.optional(),
});
const ThinkingItem = z.object({
	...itemFields,
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

export function isOpenCall(status: ToolStatus): boolean {
	return status === 'pending' || status === 'waiting' || status === 'running';
}

export const ToolItem = z.object({
	...itemFields,
	kind: z.literal('tool'),
	opId: OpId,
	/** Name of the tool as the model called it; may name no tool of ours. */
	tool: z.string(),
	title: z.string(),
	/** Title for the reader's language; absent: `title`, which says the same in English. */
	said: SaidText.optional(),
	input: z.unknown(),
	status: ToolStatus,
	/** Result as the model reads it, or streamed output while running; bounded for display. */
	output: z.string(),
	outputTruncated: z.boolean(),
	/** Words for the agent on a call that did not come to its result, where `output` is what it had said until then. */
	told: z.string().optional(),
	diff: FileDiff.optional(),
	/** Result as people see it, in place of `output`. */
	drawn: DrawnResult.optional(),
	exitCode: z.int().nullable().optional(),
	/** Closing line of the test run that it was. */
	tests: TestCounts.optional(),
	/** True when it ran in a sandbox; absent for what is no command. */
	sandboxed: z.boolean().optional(),
	/** The command goes on, and nobody waits for it. */
	inBackground: z.literal(true).optional(),
	error: OpError.optional(),
	/** Rule or mode that answered in the user's place, where they would have been asked. */
	allowedBy: AllowedBy.optional(),
	/** Why it is pending: it waits for room in a minute. */
	paced: Paced.optional(),
	startedAt: z.iso.datetime().optional(),
	durationMs: z.number().nonnegative().optional(),
	/** Time that it waited for the user, which is no part of `durationMs`; absent: it did not. */
	waitedMs: z.number().nonnegative().optional(),
	/** Newest steps of the capability that it runs, in their order; absent without any. */
	steps: z.array(RunStep).optional(),
	/** Pictures and sounds of the result. */
	images: z.array(ImageRef).optional(),
	/**
	 * Folder that an MCP server may not change, as it seems, or `.` for the workspace. `isOffered` false: it is hidden, or may
	 * hold secrets or programs; absent: the user can allow it.
	 */
	lacks: z.object({ server: z.string(), path: z.string(), isOffered: z.literal(false).optional() }).optional(),
});
export type ToolItem = z.infer<typeof ToolItem>;

/** A sentence of ours in the thread, with what the user can do about it. */
export const NoticeAction = z.enum([
	'connectModel',
	'switchModel',
	'retry',
	'continue',
	'showLogs',
	'trustWorkspace',
	/** To work on the message again, as DIRECT_RESPONSE. */
	'answerDirectly',
	/** To send the message once more, as SCHEDULED_TASK. */
	'runOnSchedule',
	/** The same for an answer without a model. */
	'askModel',
	/** To work on the message again, as GOAL; only while its turn runs. */
	'workAsGoal',
	/** The user knows that what the answer claims was done. */
	'confirmClaim',
	/** To switch a fast path or strategy on again in this project. */
	'switchOn',
]);
export type NoticeAction = z.infer<typeof NoticeAction>;
const NoticeItem = z.object({
	...itemFields,
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
	/** Tools that skills leave to the thread, and which skills; `text` says the same in English. */
	skillTools: z.object({ skills: z.string(), tools: z.string() }).optional(),
	/** Words of a check of the work on what is left to do; `text` says the same in English. */
	leftToDo: z.string().optional(),
	/** Quota of which much is used; `text` says the same in English. */
	quota: QuotaUse.optional(),
	/** Fast path or strategy that is off in this project, because it was overruled so often; `text` says the same in English. */
	switchedOff: Judgement.extend({ times: z.int().positive() }).optional(),
	/** Pieces of the thread that were shortened for the model; `text` says in English that some were. */
	shortened: Shortened.optional(),
});
/** Notice before it has a place in a thread. */
export type Notice = Pick<
	z.infer<typeof NoticeItem>,
	| 'level'
	| 'text'
	| 'actions'
	| 'error'
	| 'attempt'
	| 'passedOver'
	| 'skillTools'
	| 'leftToDo'
	| 'quota'
	| 'switchedOff'
	| 'shortened'
>;

/** Files of the workspace that were told to the model, and those that were found and not told. */
const InstructionsItem = z.object({
	...itemFields,
	kind: z.literal('instructions'),
	files: z.array(z.object({ path: z.string(), omitted: z.int().nonnegative() })),
	left: z.array(z.object({ path: z.string(), reason: InstructionsLeftOut })),
});
export type ToldInstructions = Pick<z.infer<typeof InstructionsItem>, 'files' | 'left'>;

/** Memories of earlier threads that were told to the model with a message. */
const MemoriesItem = z.object({
	...itemFields,
	kind: z.literal('memories'),
	memories: z.array(z.object({ id: z.string(), text: z.string() })),
	/** The embedding model that the user has chosen did not answer. */
	isLocal: z.boolean().optional(),
});
export type ToldMemories = Pick<z.infer<typeof MemoriesItem>, 'memories' | 'isLocal'>;

/** Older messages of the thread, which the model is not shown any more. They stay where people read them. */
const CompactionItem = z.object({
	...itemFields,
	kind: z.literal('compaction'),
	/** Number of messages that were removed. */
	messages: z.int().nonnegative(),
	/** Words that stand in for them. */
	text: z.string(),
	/** Model that summarized them; absent: `text` is a list of what was done. */
	model: z.string().optional(),
});
export type ToldCompaction = Pick<z.infer<typeof CompactionItem>, 'messages' | 'text' | 'model'>;

export const ThreadItem = z.discriminatedUnion('kind', [
	UserItem,
	TextItem,
	ThinkingItem,
	ToolItem,
	NoticeItem,
	InstructionsItem,
	MemoriesItem,
	CompactionItem,
]);
export type ThreadItem = z.infer<typeof ThreadItem>;

/** Fields of a tool card that change while it lives. */
export const ToolPatch = ToolItem.pick({
	title: true,
	said: true,
	status: true,
	output: true,
	outputTruncated: true,
	told: true,
	diff: true,
	drawn: true,
	exitCode: true,
	tests: true,
	sandboxed: true,
	inBackground: true,
	error: true,
	allowedBy: true,
	paced: true,
	startedAt: true,
	durationMs: true,
	images: true,
	lacks: true,
}).partial();
export type ToolPatch = z.infer<typeof ToolPatch>;
