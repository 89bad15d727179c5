/** Use of models that the user grants an MCP server, for as long as their window or command lasts. */
import { ModelName } from '../ops/definitions/agent/llm.ts';
import * as z from '../text/zod.ts';

export const McpSamplingBudget = z.strictObject({
	calls: z.int().min(1).max(10_000).default(10).meta({ description: 'Requests that it may make. Default: 10' }),
	tokens: z
		.int()
		.min(1_000)
		.max(100_000_000)
		.default(50_000)
		.meta({ description: 'Tokens that it may use, input and output together. Default: 50000' }),
	model: ModelName.optional().meta({ description: 'Model that answers it, as `provider/model`. Default: yours' }),
});
export type McpSamplingBudget = z.output<typeof McpSamplingBudget>;
