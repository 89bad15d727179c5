/** Models for running capabilities. The server answers; keys and providers stay where they are. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

/** `provider/model`, the name of a connected provider for its first model, or `capability:type/name` of one that provides `llm`. */
export const ModelName = z.string().min(1).max(300);

/** Prefix of capabilities that answer in a model's place. No provider has a colon in its name. */
export const CAPABILITY_MODEL_PREFIX = 'capability:';

/** The service that such a capability names in `provides`. */
export const LLM_SERVICE = 'llm';

/** A JSON Schema without `pattern`: a regular expression of a stranger is not run. */
export const OutputSchema = z.record(z.string(), z.unknown());

export const ModelTokens = z.object({
	inputTokens: z.int().nonnegative(),
	outputTokens: z.int().nonnegative(),
	/** The provider gave no figures; these are our estimate. */
	estimated: z.boolean(),
});
export type ModelTokens = z.infer<typeof ModelTokens>;

/** Answer of a model. `end` says whether it is whole: `length` and `time` cut it off. */
export const ModelCompletion = z.object({
	text: z.string(),
	/** The model that answered, as `provider/model`, or the capability, as `capability:type/name`. */
	model: z.string(),
	end: z.enum(['done', 'length', 'time']),
	usage: ModelTokens,
});
export type ModelCompletion = z.infer<typeof ModelCompletion>;

/** Result of a capability that provides `llm`. The host adds who answered and the usage. */
export const ProvidedAnswer = z.object({
	text: z.string(),
	end: z.enum(['done', 'length']).default('done'),
});

export const ChatMessage = z.strictObject({
	/** `system` messages come before the conversation, after the param `system`. */
	role: z.enum(['user', 'assistant', 'system']),
	content: z.string().max(1_000_000),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A whole answer of a slow model on one's own machine takes minutes. */
const ANSWER_LIMIT_MS = 300_000;

const timeoutMs = z.int().positive().max(3_600_000).default(ANSWER_LIMIT_MS);
const maxTokens = z.int().positive().max(1_000_000).optional();
const asksModel = {
	risk: 'MONITORED',
	permission: 'llm',
	effect: 'read',
	timeoutMs: 0,
	limitMs: (params: { readonly timeoutMs?: number | undefined }) => params.timeoutMs ?? ANSWER_LIMIT_MS,
	callers: ['execution'],
} as const;

export const llmChat = defineOp({
	params: z.strictObject({
		messages: z.array(ChatMessage).min(1).max(500),
		system: z.string().max(1_000_000).default(''),
		/** Most tokens of the answer. */
		maxTokens,
		/** Absent: the model's own. */
		temperature: z.number().min(0).max(2).optional(),
		/** Absent: the one of `prowess.capabilities.model`, else of the thread, else the default. */
		model: ModelName.optional(),
		timeoutMs,
	}),
	result: ModelCompletion,
	...asksModel,
	title: ({ messages, model }) =>
		text('Ask {model}, {n} messages', { model: model ?? text('the model'), n: messages.length }),
	present: describeLlmUsage,
});

export const llmOneshot = defineOp({
	params: z.strictObject({
		prompt: z.string().min(1).max(1_000_000),
		/** The answer is JSON of this form, or the op fails with DATA_MALFORMED. */
		schema: OutputSchema.optional(),
		maxTokens,
		model: ModelName.optional(),
		timeoutMs,
	}),
	/** `output` is the value that `schema` asked for. */
	result: ModelCompletion.extend({ output: z.unknown() }),
	...asksModel,
	title: ({ model }) => text('Ask {model} once', { model: model ?? text('the model') }),
	present: describeLlmUsage,
});

/** Tool in the form in which models are told of it. The names of its fields are those that providers use. */
const ToolDefinition = z.object({
	name: z.string(),
	description: z.string(),
	input_schema: z.record(z.string(), z.unknown()),
});

export const llmResolveTools = defineOp({
	/** Ops, as `fs.read` or `fs_read`, and tools of capabilities, as `weather.today` or `skill/weather.today`. */
	params: z.strictObject({ tools: z.array(z.string().min(1).max(250)).min(1).max(200) }),
	/** Definitions in the order of the references. */
	result: z.object({ tools: z.array(ToolDefinition) }),
	risk: 'SAFE',
	permission: 'llm',
	effect: 'read',
	timeoutMs: 30_000,
	aliases: ['llm.resolve_tools'],
	callers: ['execution'],
	title: ({ tools }) => text('Describe tools: {tools}', { tools: tools.join(', ').slice(0, 200) }),
	present: (r) => r.tools.map(({ name }) => name).join(', '),
});

/** Summarises the usage, not the content: the ledger keeps this line. */
function describeLlmUsage({ model, end, text, usage }: ModelCompletion): string {
	const about = usage.estimated ? 'about ' : '';
	return `${model}: ${about}${usage.inputTokens} tokens in, ${usage.outputTokens} out; ${text.length} characters, ${end}`;
}
