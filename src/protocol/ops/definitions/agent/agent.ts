/** A sub-turn: model and tools in a loop, for a running capability and with no more rights than it has. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { ModelName, ModelTokens, OutputSchema } from './llm.ts';
import { text } from '../../../text/text.ts';

/** Budget of a sub-turn. The host has defaults for missing limits, and the execution's own budget caps all of them. */
export const SubTurnBudget = z.strictObject({
	/** Answers of the model. */
	iterations: z.int().positive().max(500).optional(),
	/** Tokens in and out, all requests together. */
	tokens: z.int().positive().max(10_000_000).optional(),
	/** Milliseconds, the time in which a person is asked not counted. */
	timeMs: z.int().positive().max(3_600_000).optional(),
});

/** A text the model may read when it needs it, by name. */
export const SubTurnDocument = z.strictObject({
	name: z.string().min(1).max(500),
	text: z.string().max(500_000),
});

export const SubTurnResult = z.object({
	/** The last answer. */
	text: z.string(),
	/** The value `schema` asked for; null without one, and when the sub-turn ended before it. */
	output: z.unknown(),
	/** `done`, or what it ended at: its budget, or an answer that cannot be used. */
	end: z.enum([
		'done',
		'iterations',
		'tokens',
		'time',
		'badCalls',
		'stuck',
		'tooLong',
		'empty',
		'refused',
		'filtered',
		'badOutput',
		'cut',
	]),
	iterations: z.int().nonnegative(),
	model: z.string(),
	usage: ModelTokens,
	/** In their order; the first ones when there are very many. */
	toolCalls: z.array(z.object({ tool: z.string(), title: z.string(), status: z.string() })),
});
export type SubTurnResult = z.infer<typeof SubTurnResult>;

/** Without a `timeMs`. */
export const SUB_TURN_LIMIT_MS = 900_000;

export const agentRun = defineOp({
	params: z.strictObject({
		/** Instructions: the role of the model, and how it works. */
		instructions: z.string().max(500_000).default(''),
		/** Task. */
		prompt: z.string().min(1).max(500_000),
		/**
		 * Ops it may call, as `fs.read`; absent: all that a model is offered. Ops that its caller may not use are left
		 * out.
		 */
		tools: z.array(z.string().min(1).max(100)).max(200).optional(),
		documents: z.array(SubTurnDocument).max(500).default([]),
		schema: OutputSchema.optional(),
		budget: SubTurnBudget.default({}),
		temperature: z.number().min(0).max(2).optional(),
		model: ModelName.optional(),
	}),
	result: SubTurnResult,
	risk: 'MONITORED',
	permission: 'llm',
	// Read, because the effects of the sub-turn are ops of their own, each judged.
	effect: 'read',
	timeoutMs: 0,
	limitMs: (params) => params.budget?.timeMs ?? SUB_TURN_LIMIT_MS,
	callers: ['execution'],
	title: ({ prompt }) => text('Run a sub-turn: {prompt}', { prompt: shortenPrompt(prompt) }),
	present: ({ model, end, iterations, usage, toolCalls }) =>
		`${model}: ${iterations} answers, ${toolCalls.length} tool calls, ${usage.inputTokens} tokens in, ${usage.outputTokens} out; ${end}`,
});

function shortenPrompt(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
