/** Request of an MCP server to a model. No caller names this op by itself: a server does, while one of its tools runs. */
import { McpServerName } from '../../mcp-server-entry.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { ChatMessage, ModelCompletion, ModelName } from './llm.ts';
import { text } from '../../../text/text.ts';

/** Limit of one answer; the call of the tool has one of its own above it. */
const ANSWER_MS = 120_000;

export const mcpSample = defineOp({
	params: z.strictObject({
		server: McpServerName,
		model: ModelName,
		system: z.string().max(1_000_000),
		messages: z.array(ChatMessage).min(1).max(500),
		/** Most tokens of the answer. */
		maxTokens: z.int().positive().max(1_000_000),
		temperature: z.number().min(0).max(2).optional(),
	}),
	result: ModelCompletion,
	risk: 'CONTROLLED',
	permission: 'llm',
	effect: 'execute',
	timeoutMs: 0,
	limitMs: () => ANSWER_MS,
	title: ({ server, model }) => text('Ask {model} for the MCP server {server}', { model, server }),
	/** Summarises the usage, not the content: the ledger keeps this line. */
	present: ({ model, end, text, usage }) =>
		`${model}: ${usage.estimated ? 'about ' : ''}${usage.inputTokens} tokens in, ${usage.outputTokens} out; ${text.length} characters, ${end}`,
});
