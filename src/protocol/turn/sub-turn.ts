/**
 * Conversation about models for running capabilities. Host → server: a single answer or a sub-turn. Server → host: the
 * effects of a sub-turn and its progress. The host names a sub-turn; it ends with its op and cannot be resumed. Only the
 * host knows, by that name, whose permissions its effects have.
 */
import * as z from '../text/zod.ts';
import { OpOutcome } from './broker.ts';
import { OpId, SubTurnId, ThreadId } from '../rpc/ids.ts';
import { SubTurnDocument, SubTurnResult } from '../ops/definitions/agent/agent.ts';
import { ChatMessage, ModelCompletion, ModelName, OutputSchema } from '../ops/definitions/agent/llm.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

const commonSubTurnParams = {
	subTurnId: SubTurnId,
	/** Whose model is meant when none is named. */
	threadId: ThreadId.nullable(),
	model: ModelName.nullable(),
	temperature: z.number().optional(),
	schema: OutputSchema.optional(),
	/** At this limit it ends by itself, with what it has; 0: none. */
	timeMs: z.int().nonnegative(),
};

/** Host → server. Rejects with NO_MODEL when nothing is connected. */
export const subTurnRequests = {
	/**
	 * Asks for a single answer, streamed as `text` progress. With a schema, the server asks a second time if the first
	 * answer does not match.
	 */
	complete: defineRequest(
		'subTurn/complete',
		z.object({
			...commonSubTurnParams,
			system: z.string(),
			messages: z.array(ChatMessage),
			maxTokens: z.int().positive().optional(),
			/** Rejects with the first fault, instead of trying again or asking another model. */
			isOneTry: z.literal(true).optional(),
		}),
		ModelCompletion.extend({ output: z.unknown(), calls: z.int().nonnegative() }),
	),
	run: defineRequest(
		'subTurn/run',
		z.object({
			...commonSubTurnParams,
			instructions: z.string(),
			prompt: z.string(),
			tools: z.array(z.string()),
			documents: z.array(SubTurnDocument),
			iterations: z.int().positive(),
			tokens: z.int().positive(),
		}),
		SubTurnResult,
	),
	/**
	 * Builds the instruction for an answer that matches a schema, and reads the value from such an answer. Runs in the
	 * server because a third-party schema is evaluated only where there are no effects. Rejects with INVALID_PARAMS or
	 * DATA_MALFORMED.
	 */
	form: defineRequest('subTurn/form', z.object({ schema: OutputSchema }), z.object({ instructions: z.string() })),
	read: defineRequest(
		'subTurn/read',
		z.object({ schema: OutputSchema, text: z.string(), model: z.string() }),
		z.object({ output: z.unknown() }),
	),
} as const;

/** Server → host. */
export const subTurnHostRequests = {
	/** Performs an op like `op/perform`, for a sub-turn: with the rights of the execution it belongs to. */
	perform: defineRequest(
		'subTurn/perform',
		z.object({ subTurnId: SubTurnId, opId: OpId, op: z.string().max(100), params: z.unknown() }),
		OpOutcome,
	),
} as const;

export const SubTurnProgress = z.discriminatedUnion('kind', [
	z.object({ subTurnId: SubTurnId, kind: z.literal('text'), text: z.string() }),
	z.object({ subTurnId: SubTurnId, kind: z.literal('tool'), title: z.string() }),
	/** A request to a model has begun; that of before it has failed unless its `usage` was told. */
	z.object({ subTurnId: SubTurnId, kind: z.literal('request'), model: z.string() }),
	/** So far, all requests together. */
	z.object({
		subTurnId: SubTurnId,
		kind: z.literal('usage'),
		calls: z.int().nonnegative(),
		tokens: z.int().nonnegative(),
	}),
]);
export type SubTurnProgress = z.infer<typeof SubTurnProgress>;

/** Server → host. */
export const subTurnNotifications = {
	progress: defineNotification('subTurn/progress', SubTurnProgress),
} as const;
