/** Trace of a turn: its stages, its calls, and what it used. Conversation with a server about it. */
import { TestCounts } from '../receipts/effect-receipt.ts';
import { OpError } from '../turn/broker.ts';
import { ItemId, OpId, ThreadId, TurnId } from '../rpc/ids.ts';
import { defineRequest } from '../rpc/message.ts';
import * as z from '../text/zod.ts';

/** Step of the pipeline, or the fast path or command in place of some. */
const TracedStage = z.object({
	stage: z.string(),
	startedAt: z.iso.datetime(),
	durationMs: z.number().nonnegative(),
	/** `ok`, or the code of the error it ended with. */
	outcome: z.string(),
	/** Decisions of the stage by name. */
	facts: z.record(z.string(), z.unknown()),
});

/** Call of a tool, request to a model, or a line that the thread shows of the turn. */
export const TracedItem = z.object({
	/** Only of what the thread shows. */
	itemId: ItemId.optional(),
	at: z.iso.datetime(),
	/**
	 * `guard`: what the loop said of a call that goes in circles. `revision`: an answer that another one replaced, because
	 * no result showed what it said.
	 */
	kind: z.enum(['tool', 'notice', 'compaction', 'request', 'guard', 'revision']),
	text: z.string(),
	/** Only of a call of a tool, as the name of the tool, which may be none of ours. */
	opId: OpId.optional(),
	tool: z.string().optional(),
	/** Input and result of a call; absent unless contents were asked for. */
	input: z.unknown().optional(),
	output: z.string().optional(),
	status: z.string().optional(),
	/** Absent: it has not run, or nobody knows how long it took. */
	durationMs: z.number().nonnegative().optional(),
	/** Time that a call waited for the user, before or while it ran; absent: it did not. */
	waitedMs: z.number().nonnegative().optional(),
	/** Code of the error that it ended with. */
	error: z.string().optional(),
	/** Closing line of a test run. */
	tests: TestCounts.optional(),
	/** Model of a request, or that summarized a compaction. */
	model: z.string().optional(),
	/** Model that answered a request, as its endpoint says, where that is not the one that was asked. */
	served: z.string().optional(),
	/** Use of a request; absent: the turn itself. */
	purpose: z.enum(['summary', 'capability', 'check']).optional(),
	/** Tokens that a request has used; absent: it has no answer, or its vendor does not say. */
	inputTokens: z.int().nonnegative().optional(),
	outputTokens: z.int().nonnegative().optional(),
	cachedInputTokens: z.int().nonnegative().optional(),
	/** US dollars; absent: the model has no known price. */
	cost: z.number().nonnegative().optional(),
	/** Number of older messages that left in a compaction. */
	messages: z.int().nonnegative().optional(),
});
export type TracedItem = z.infer<typeof TracedItem>;

export const TurnTrace = z.object({
	turnId: TurnId,
	threadId: ThreadId,
	/** Model that answered last, also after others failed. */
	modelId: z.string(),
	/** Tokens of all its requests together. */
	tokens: z.object({ input: z.int().nonnegative(), output: z.int().nonnegative() }),
	/** `running`, or how it ended. */
	status: z.string(),
	startedAt: z.iso.datetime(),
	/** Null while it runs. */
	endedAt: z.iso.datetime().nullable(),
	error: OpError.optional(),
	/** Attempts at its requests beyond the first of each. */
	fallbackAttempts: z.int().nonnegative(),
	/** Empty for a turn that was ended from outside before it could say. */
	stages: z.array(TracedStage),
	items: z.array(TracedItem),
	/** Message of the user and last answer; absent unless contents were asked for. */
	said: z.object({ asked: z.string(), answered: z.string() }).optional(),
});
export type TurnTrace = z.infer<typeof TurnTrace>;

export const traceRequests = {
	/** The latest turns of a thread, or of all, oldest first, without their items. Rejects with THREAD_NOT_FOUND. */
	list: defineRequest(
		'trace/list',
		z.object({ threadId: ThreadId.optional(), limit: z.int().positive().max(10_000).default(200) }),
		z.object({ turns: z.array(TurnTrace.omit({ items: true, said: true })) }),
	),
	/** `content`: with the contents of messages and calls. Rejects with TURN_NOT_FOUND. */
	show: defineRequest('trace/show', z.object({ turnId: TurnId, content: z.literal(true).optional() }), TurnTrace),
} as const;
