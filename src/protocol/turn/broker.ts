/**
 * Server → host: the server asks for every effect; the host decides, records, acts and answers.
 * Host → server: how a running op is doing. Over JSON-RPC; the server starts each exchange.
 */
import * as z from '../text/zod.ts';
import { AllowedBy } from '../approvals/approvals.ts';
import { ERROR_CODES } from '../errors/errors.ts';
import { OpId, ThreadId, TurnId } from '../rpc/ids.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';
import { SaidText } from '../text/said-text.ts';
import { RunStep } from './run-steps.ts';

/** For the model and the user: what was wrong and what to do; `problems` lists each field at fault. */
export const OpError = z.object({
	code: z.enum(ERROR_CODES),
	message: z.string(),
	facts: z.record(z.string(), z.unknown()).default({}),
});
export type OpError = z.infer<typeof OpError>;

/** Points at the ledger row that records the outcome. */
export const Receipt = z.object({ writer: z.string(), seq: z.int().positive(), hash: z.string() });
export type Receipt = z.infer<typeof Receipt>;

/** Words of a hook after an op for the model, without secrets: output of a program of the user, which grants nothing. */
const HookWords = z.object({ by: z.string(), text: z.string() });
export type HookWords = z.infer<typeof HookWords>;

/** The exactly-one terminal outcome of an op. `result` has the shape the op declares. Output is redacted. */
export const OpOutcome = z.discriminatedUnion('status', [
	z.object({
		status: z.literal('done'),
		opId: OpId,
		result: z.unknown(),
		durationMs: z.number().nonnegative(),
		receipt: Receipt,
		/** Prediction of a model from before it ran. */
		simulation: z.string().optional(),
		/** Labels of texts from outside that the result holds, as `web:example.org`: the model is told that they are data. */
		outside: z.array(z.string()).optional(),
		hooks: z.array(HookWords).optional(),
	}),
	z.object({
		status: z.enum(['failed', 'denied', 'cancelled', 'timeout']),
		opId: OpId,
		error: OpError,
		durationMs: z.number().nonnegative(),
		/** Absent when the ledger itself could not be written. */
		receipt: Receipt.optional(),
		hooks: z.array(HookWords).optional(),
	}),
]);
export type OpOutcome = z.infer<typeof OpOutcome>;

/**
 * State of an op that the host reports after the server restarted. `inDoubt`: the intent is recorded, the outcome is not.
 * `recorded`: the host restarted too; the ledger has the outcome, but the result was not kept.
 */
export const OpKnowledge = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('settled'), outcome: OpOutcome }),
	z.object({
		kind: z.literal('recorded'),
		status: z.enum(['done', 'failed', 'denied', 'cancelled', 'timeout']),
		/** Summary as in the ledger: redacted and cut; `CODE: message` when it was not done. */
		summary: z.string(),
		receipt: Receipt,
	}),
	z.object({ kind: z.literal('running') }),
	z.object({ kind: z.literal('inDoubt'), receipt: Receipt }),
	z.object({ kind: z.literal('unknown') }),
]);
export type OpKnowledge = z.infer<typeof OpKnowledge>;

/** More are asked in their turn: nobody reads a longer list. */
export const MAX_ASKED_AHEAD = 20;

export const OpRequest = z.object({
	opId: OpId,
	op: z.string().max(100),
	params: z.unknown(),
	threadId: ThreadId,
	turnId: TurnId,
	/** Prowess asks for it by itself, in its own words, and no model does. */
	isOurs: z.literal(true).optional(),
});
export type OpRequest = z.infer<typeof OpRequest>;

/** Ops of one answer of a model, in its order. */
const OpsAhead = z.object({
	threadId: ThreadId,
	turnId: TurnId,
	ops: z.array(OpRequest.pick({ opId: true, op: true, params: true })).max(MAX_ASKED_AHEAD),
});

export const brokerRequests = {
	/** Perform one effect. Repeating an `opId` answers with the outcome of the first; it never runs the effect again. */
	perform: defineRequest('op/perform', OpRequest, OpOutcome),
	/**
	 * Ask the person about ops that come next, as one list, while none of them runs yet. Each is judged again when it is
	 * performed. Answers when nothing is open any more; a cancellation takes the questions back.
	 */
	askAhead: defineRequest('op/askAhead', OpsAhead, z.object({})),
	/** Ask what became of an op, after a restart. */
	outcome: defineRequest('op/outcome', z.object({ opId: OpId }), OpKnowledge),
	/** A copy of plain data with every string redacted: what a model said, before it is stored, shown or sent again. */
	redact: defineRequest('op/redact', z.object({ value: z.unknown() }), z.object({ value: z.unknown() })),
} as const;

/**
 * A tool call that waits. `limit`: its thread has made as many within a minute as the user lets it; absent: the same call
 * has had the same result before.
 */
export const Paced = z.object({ limit: z.int().positive().optional(), until: z.iso.datetime() });
export type Paced = z.infer<typeof Paced>;

export const OpProgress = z.discriminatedUnion('kind', [
	/** Limits pause. The op has not begun. */
	Paced.extend({ opId: OpId, kind: z.literal('paced') }),
	/** Title that says more than the params: what exactly the op does is known now. */
	z.object({ opId: OpId, kind: z.literal('titled'), said: SaidText }),
	/** An approval is open; limits pause. */
	z.object({ opId: OpId, kind: z.literal('waiting'), reason: z.string() }),
	/** Not told of an op that ends at once. `allowedBy`: why nobody was asked, where somebody would have been. */
	z.object({ opId: OpId, kind: z.literal('running'), allowedBy: AllowedBy.optional() }),
	/** The effect has ended, and what hooks say to it is awaited; limits pause. */
	z.object({ opId: OpId, kind: z.literal('hooks') }),
	z.object({ opId: OpId, kind: z.literal('output'), chunk: z.string() }),
	/** New steps of the capability that the op runs, and new states of earlier ones; of one that nobody waits for, also after the outcome. */
	z.object({ opId: OpId, kind: z.literal('steps'), steps: z.array(RunStep) }),
]);
export type OpProgress = z.infer<typeof OpProgress>;

/** Returns true when the time of the op stands still: it waits for a person, for hooks, or for room in a minute. */
export function isHeld({ kind }: OpProgress): boolean {
	return kind === 'waiting' || kind === 'paced' || kind === 'hooks';
}

export const brokerNotifications = {
	/** Host → server: state and streamed output of an op that is under way. */
	progress: defineNotification('op/progress', OpProgress),
} as const;
