/** Models: what there is, which one is used, and where the server gets keys and the editor's own models from. */
import * as z from '../text/zod.ts';
import { LmRequestId, ThreadId } from '../rpc/ids.ts';
import { ImageType } from '../ops/images.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

const PROVIDER_KINDS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export const ProviderKind = z.enum(PROVIDER_KINDS);
export type ProviderKind = z.infer<typeof ProviderKind>;

/** A provider the user has connected. The host's secret store keeps its key under its id, never this setting. */
export const ProviderConfig = z.object({
	id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and hyphens'),
	kind: ProviderKind,
	/** Absent: the vendor's own address. */
	baseUrl: z.url({ protocol: /^https?$/ }).optional(),
	/** Models to offer; empty: ask the endpoint. */
	models: z.array(z.string().min(1).max(200)).max(200).default([]),
	/** Patterns of the models that the rules of an organisation leave; the host sets it. Absent: all. */
	allowedModels: z.array(z.string().max(500)).max(500).optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

/** Effort of thinking before a model answers. */
export const Effort = z.enum(['off', 'low', 'medium', 'high']);
export type Effort = z.infer<typeof Effort>;

/** Headers that say who asks, or how the request is built: a key belongs into the secret store. */
const OWN_HEADERS =
	/^(?:authorization|proxy-authorization|x-api-key|x-goog-api-key|api-key|cookie|host|connection|content-.*|transfer-encoding)$/i;

const priceDollars = z.number().min(0).max(1_000_000);

/** US dollars for a million tokens; `cacheRead` and `cacheWrite` are as `input` where they are absent. */
const Price = z.strictObject({
	input: priceDollars,
	output: priceDollars,
	cacheRead: priceDollars.optional(),
	cacheWrite: priceDollars.optional(),
});
export type Price = z.infer<typeof Price>;

/** Way in which a model calls tools: by itself, in its text, or not at all. */
const ToolCallStyle = z.enum(['native', 'text', 'none']);
export type ToolCallStyle = z.infer<typeof ToolCallStyle>;

/** Facts of one model that the user knows better than its provider says. */
export const ModelSettings = z.strictObject({
	/** Tokens of a request and its answer together. */
	contextWindow: z.int().min(1_000).max(100_000_000).optional(),
	/** Tokens of one answer. */
	maxOutput: z.int().min(1).max(10_000_000).optional(),
	temperature: z.number().min(0).max(2).optional(),
	effort: Effort.optional(),
	calls: ToolCallStyle.optional(),
	/** True when it takes pictures; absent: as is known about the model, else as it answers. */
	images: z.boolean().optional(),
	price: Price.optional(),
	/** Sent with each request, by name. */
	headers: z
		.record(
			z
				.string()
				.regex(/^[\w-]{1,100}$/, 'expected the name of a header')
				.refine((name) => !OWN_HEADERS.test(name), 'this header is Prowess’s own; keys belong into the secret store'),
			z.string().regex(/^[\x20-\x7e]{0,1000}$/, 'expected printable ASCII'),
		)
		.optional(),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

/** A model that takes over when the chosen one cannot answer. */
export const FallbackModel = z.strictObject({
	provider: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected the name of a connected provider'),
	model: z.string().min(1).max(200),
	/** Absent: the provider's own address. */
	baseUrl: z.url({ protocol: /^https?$/ }).optional(),
});

/** Points up to which a prompt is simple, and from which on it is complex; between them it is neither. */
const DEFAULT_POINTS = { simpleBelow: 200, complexFrom: 800 };

const points = z.int().min(0).max(1_000_000);
const routedModel = z.string().regex(/^[^\s]{1,300}$/, 'expected provider/model or an alias');

/** Models for prompts that seem to ask for little, or for much; without one the default model answers. */
export const ModelRouting = z
	.strictObject({
		simple: routedModel.optional(),
		complex: routedModel.optional(),
		simpleBelow: points.default(DEFAULT_POINTS.simpleBelow),
		complexFrom: points.default(DEFAULT_POINTS.complexFrom),
	})
	.refine(({ simpleBelow, complexFrom }) => simpleBelow <= complexFrom, {
		path: ['simpleBelow'],
		message: 'expected no more than complexFrom',
	});

const pauseSeconds = z.int().min(1, 'expected 1 to 3,600 seconds').max(3_600, 'expected 1 to 3,600 seconds');

export const DEFAULT_PAUSE = { faults: 3, withinSeconds: 60, pauseSeconds: 60 } as const;

/** When a provider is left alone, and for how long. */
export const ModelPause = z.strictObject({
	faults: z.int().min(1, 'expected 1 to 1,000').max(1_000, 'expected 1 to 1,000').default(DEFAULT_PAUSE.faults),
	withinSeconds: pauseSeconds.default(DEFAULT_PAUSE.withinSeconds),
	pauseSeconds: pauseSeconds.default(DEFAULT_PAUSE.pauseSeconds),
});
export type ModelPause = z.infer<typeof ModelPause>;

/** `id` is `<provider>/<model>`; the first part may also be `editor` (vscode.lm) or `tour`. */
export const ModelInfo = z.object({
	id: z.string(),
	name: z.string(),
	provider: z.string(),
	source: z.enum(['provider', 'editor', 'scripted']),
	contextWindow: z.int().positive().optional(),
	/** True when it takes pictures; absent: nobody knows. */
	images: z.boolean().optional(),
	/** True when it takes an effort of thinking; absent: nobody knows. */
	thinks: z.boolean().optional(),
	/** Absent: nobody knows it, or it costs nothing. */
	price: Price.optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** Texts of one request for embeddings. */
export const EMBEDDED_AT_ONCE = 65;

export const modelRequests = {
	/** All models that can be chosen. An endpoint that does not answer is named in `problems`, the others are listed. */
	list: defineRequest(
		'model/list',
		z.object({}),
		z.object({
			models: z.array(ModelInfo),
			selected: z.string().nullable(),
			problems: z.array(z.object({ provider: z.string(), message: z.string() })),
			/** Providers that failed often: other models are asked first, for so long. */
			resting: z.array(z.object({ provider: z.string(), seconds: z.int().nonnegative() })),
		}),
	),
	/** The provider is asked again from now on, however often it has failed. `paused`: those that were until now. */
	askAgain: defineRequest(
		'model/askAgain',
		z.object({ provider: z.string().max(100) }),
		z.object({ paused: z.array(z.string()) }),
	),
	/** Tries one provider with one key before it is saved; lists its models. The key is used for this call and forgotten. */
	check: defineRequest(
		'model/check',
		z.object({ provider: ProviderConfig, key: z.string().nullable() }),
		z.object({ models: z.array(z.string()) }),
	),
	/** Asks a model, before it is saved, to call a tool. */
	tryTool: defineRequest(
		'model/tryTool',
		z.object({ provider: ProviderConfig, key: z.string().nullable(), model: z.string().min(1).max(300) }),
		z.object({ calls: z.boolean() }),
	),
	/** Model servers of this machine on their usual loopback ports: those that answer, and where was looked. */
	discover: defineRequest(
		'model/discover',
		z.object({}),
		z.object({
			looked: z.array(z.object({ name: z.string(), baseUrl: z.string() })),
			found: z.array(z.object({ name: z.string(), baseUrl: z.string(), models: z.array(z.string()) })),
		}),
	),
} as const;

/** Host → server. Apart from the others, which a page of the editor may ask for, too. */
export const embeddingRequests = {
	/**
	 * Embeddings of texts by a model that the user has named for this, one for each text, in their order. Asked once: whoever
	 * asks has another way. Rejects with NOT_AVAILABLE_HERE where the provider has none.
	 */
	embed: defineRequest(
		'model/embed',
		z.object({
			/** `provider/model`. */
			model: z.string().max(300),
			/** Without secrets. */
			texts: z.array(z.string().max(20_000)).min(1).max(EMBEDDED_AT_ONCE),
			/** In whose name it is asked; null: the user's, outside of any thread. */
			threadId: ThreadId.nullable(),
		}),
		z.object({ vectors: z.array(z.array(z.number()).min(1).max(8_192)) }),
	),
} as const;

/** Server → host. */
export const credentialRequests = {
	/** The key of a provider, asked for at each use and never kept; null when there is none. */
	get: defineRequest('credential/get', z.object({ providerId: z.string() }), z.object({ key: z.string().nullable() })),
} as const;

const LmPart = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('text'), text: z.string() }),
	z.object({ kind: z.literal('thinking'), text: z.string() }),
	z.object({ kind: z.literal('toolCall'), callId: z.string(), name: z.string(), input: z.unknown() }),
]);

export const LmMessage = z.object({
	role: z.enum(['user', 'assistant']),
	parts: z.array(
		z.discriminatedUnion('kind', [
			z.object({ kind: z.literal('text'), text: z.string() }),
			z.object({ kind: z.literal('image'), type: ImageType, data: z.string() }),
			z.object({ kind: z.literal('toolCall'), callId: z.string(), name: z.string(), input: z.unknown() }),
			z.object({ kind: z.literal('toolResult'), callId: z.string(), text: z.string() }),
		]),
	),
});
export type LmMessage = z.infer<typeof LmMessage>;

/** Server → host: the editor's own models (vscode.lm). The CLI answers with an empty list. */
export const lmRequests = {
	list: defineRequest('lm/list', z.object({}), z.object({ models: z.array(ModelInfo) })),
	/** Streams one answer as `lm/part` notifications and resolves at its end. Cancelling the request cancels the model. */
	run: defineRequest(
		'lm/run',
		z.object({
			requestId: LmRequestId,
			modelId: z.string(),
			messages: z.array(LmMessage),
			tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.unknown() })),
			/** These two are wishes: a model of the editor keeps to them or not, and does not say. */
			temperature: z.number().optional(),
			maxOutputTokens: z.int().positive().optional(),
		}),
		z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
	),
} as const;

/** Host → server. */
export const lmNotifications = {
	part: defineNotification('lm/part', z.object({ requestId: LmRequestId, part: LmPart })),
} as const;

/** Server → host → view: the list of models is another one. Apart from the server's other notices, whose settings a page has no use for. */
export const modelNotifications = {
	changed: defineNotification('model/changed', z.object({})),
} as const;
