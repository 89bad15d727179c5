/**
 * A model as the agent loop sees it, whoever the vendor is. Adapters keep each part's provider metadata verbatim in
 * `metadata`; it goes back unchanged with the next request (signatures, encrypted reasoning).
 */
import type { QuotaUse } from '../../protocol/turn/usage.ts';
import type { ProwessError } from '../../protocol/errors/errors.ts';
import type { ImageRef } from '../../protocol/ops/images.ts';
import type { ServedModel } from '../../protocol/thread/served.ts';
import type { Effort, Price } from '../../protocol/turn/models.ts';

/** Opaque to us: stored and sent back as it came. */
export type ProviderMetadata = Readonly<Record<string, unknown>>;

export interface ToolCallPart {
	readonly kind: 'toolCall';
	readonly callId: string;
	readonly tool: string;
	/** Input as the model wrote it; may be no JSON at all. */
	readonly inputText: string;
	/** Group within an answer: its calls may run side by side, whatever they do. Absent: none. */
	readonly group?: string;
	readonly metadata?: ProviderMetadata;
}

export type AssistantPart =
	| { readonly kind: 'text'; readonly text: string; readonly metadata?: ProviderMetadata }
	| { readonly kind: 'thinking'; readonly text: string; readonly metadata?: ProviderMetadata }
	| ToolCallPart;

export interface ToolResultPart {
	readonly callId: string;
	readonly tool: string;
	readonly text: string;
	readonly isError: boolean;
	/** Pictures in it, besides its text. */
	readonly images?: readonly ImageRef[];
	/** Characters at its end that are no part of the result: instructions for what the call touched. */
	readonly rulesChars?: number;
	/**
	 * Place from which the model can read on when the result is cut; absent: the result is too short, or is not stored.
	 */
	readonly readOn?: ReadOn;
}

export interface ReadOn {
	/** Id of the stored result. */
	readonly id: string;
	/** Where in it this text begins, in characters. */
	readonly from: number;
}

export interface ModelUserMessage {
	readonly role: 'user';
	/** All that the model reads. */
	readonly text: string;
	/** And what it looks at. */
	readonly images?: readonly ImageRef[];
	/** Characters at its beginning that are the user's own words, where there is more; 0: the loop wrote it. */
	readonly ownChars?: number;
	/** Characters at its end that hold for the whole thread: the workspace's instructions and the names of capabilities. */
	readonly rulesChars?: number;
	/** Set on a message of ours that stands for other messages. */
	readonly leftOut?: LeftOut;
}

/** Remains of messages that the model is not shown any more. */
export interface LeftOut {
	/** The user's words in them, oldest first: the task and then what else was said. */
	readonly words: readonly string[];
	/** The agent's steps, as it stated them last; empty without any. */
	readonly plan: string;
	/** Work done in the messages: a model's summary, or a list. */
	readonly done: string;
	/** Number of the messages. */
	readonly messages: number;
}

/**
 * An entry of the conversation with a model. Every tool call is answered by exactly one result in the next `tool`
 * message.
 */
export type ModelMessage =
	| ModelUserMessage
	| { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
	| { readonly role: 'tool'; readonly results: readonly ToolResultPart[] };

export interface ToolDeclaration {
	readonly name: string;
	readonly description: string;
	/** JSON Schema, draft 7. */
	readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
	readonly system: string;
	readonly messages: readonly ModelMessage[];
	/** In a fixed order: part of the cached prefix. Empty: no tools. */
	readonly tools: readonly ToolDeclaration[];
	/** Absent: what the provider thinks right. The editor's models are told both, and may keep to neither. */
	readonly maxOutputTokens?: number;
	/** To be asked for where that is absent, because the provider's own limit was too low; not where it asks for the most anyway. */
	readonly raisedOutput?: RaisedOutput;
	readonly temperature?: number;
	/** Before what the user has set of the model. The editor's models are not told. */
	readonly effort?: Effort | undefined;
}

export interface RaisedOutput {
	readonly tokens: number;
	/** Where that is refused. */
	readonly former?: number | undefined;
}

export interface ModelUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cachedInputTokens: number;
	/** Input tokens that were written to the vendor's cache; absent: the vendor does not count them. */
	readonly cacheWriteTokens?: number;
	/** The provider said nothing usable; these are our estimate. */
	readonly estimated: boolean;
}

/**
 * Parts as they arrive. `text` and `thinking` come as deltas of one block until its `…End`; a tool call comes whole.
 * An `…End` without deltas is a block without text whose metadata has to be kept all the same (encrypted reasoning).
 * The last part is `finish`, also when there was nothing else. Failure is thrown: a ProwessError with a PROVIDER_, STREAM_ or
 * CONTEXT_ code, or the signal's reason.
 */
export type ModelPart =
	| { readonly kind: 'textDelta'; readonly text: string }
	| { readonly kind: 'textEnd'; readonly metadata?: ProviderMetadata }
	| { readonly kind: 'thinkingDelta'; readonly text: string }
	| { readonly kind: 'thinkingEnd'; readonly metadata?: ProviderMetadata }
	| ToolCallPart
	/**
	 * Told to the user once. `callsInText`: the endpoint wants no tools, so the calls are read from the text. `callsWritten`: the
	 * model was given tools and wrote its calls as text. `smallWindow`: the
	 * model server runs the model with less context than it could have. `imagesLeftOut`: it takes no pictures.
	 * `effortLeftOut`: it does not take the effort that was chosen.
	 */
	| {
			readonly kind: 'note';
			readonly note: 'callsInText' | 'callsWritten' | 'smallWindow' | 'imagesLeftOut' | 'effortLeftOut';
	  }
	/** Comes before the first words or call of an answer whose endpoint names another model than was asked. */
	| { readonly kind: 'served'; readonly served: ServedModel }
	/** Suggestion to the user for getting a better answer; becomes a notice of the thread. Only the tour sends it. */
	| { readonly kind: 'offer'; readonly action: 'connectModel'; readonly text: string }
	/**
	 * End of the answer. The tool calls alone tell whether the model wants tools, and only after this part: the calls
	 * of a stream that fails must not be run.
	 */
	| {
			readonly kind: 'finish';
			readonly reason: StopReason;
			readonly usage: ModelUsage;
			/** With `length`: tool of the call in which the limit fell, where that call is not among the parts; empty: nobody knows it. */
			readonly cutTool?: string;
	  };

/**
 * Why an answer ended. `length`: at its token limit. `refusal`: the model would not. `contentFilter`: the vendor would not let
 * it. `paused`: it means to go on when it is asked again. `malformedCall`: it called something that cannot be read.
 */
export type StopReason =
	| 'stop'
	| 'toolCalls'
	| 'length'
	| 'refusal'
	| 'contentFilter'
	| 'paused'
	| 'malformedCall'
	| 'unknown';

export interface ModelEndpoint {
	readonly baseUrl: string;
	/** Id of the model at the endpoint. */
	readonly modelId: string;
	/** The user's settings of the model, as one text. */
	readonly settings: string;
}

export interface ModelPort {
	/** `<provider>/<model>`. */
	readonly id: string;
	readonly contextWindow: number;
	/** Tokens of the longest answer, as its endpoint lists it; absent: nobody knows. */
	readonly mostOutput?: number | undefined;
	/** Follows a script, and understands nothing of what it is told: the tour. */
	readonly isScripted?: true;
	/** Where it is asked; absent: by the editor, or nowhere. */
	readonly endpoint?: ModelEndpoint;
	/** Tokens that it counts where we estimate one, as known when the turn began; absent: 1. */
	readonly tokenFactor?: number;
	/** Absent: nobody knows it, or it costs nothing. */
	readonly price?: Price | undefined;
	/** True when the model is known to take pictures, false when it is known to refuse them; absent: nobody knows. */
	readonly takesImages?: boolean | undefined;
	/** Quotas of the user, as the host last told; absent: nobody counts. */
	quotas?(): readonly QuotaUse[];
	/** A request follows, most likely soon: what it takes from elsewhere is asked for while tools run and it is put together. */
	prepare?(signal: AbortSignal): void;
	/**
	 * Makes one request and does not retry: retries belong to the caller alone (C34). Ends within 300 ms after an
	 * abort.
	 */
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Facts an adapter adds to the error it throws, for the caller's decision to retry. */
export interface ProviderErrorFacts {
	readonly provider: string;
	readonly status?: number;
	/** The endpoint's own sentence, for the user. */
	readonly said?: string;
	/** From Retry-After, in ms. */
	readonly retryAfterMs?: number;
	readonly retryable: boolean;
	/** Model that the endpoint does not have; `pullable`: one that Ollama could get. */
	readonly model?: string;
	readonly pullable?: string;
	/** True when the endpoint was given up after it had sent nothing. */
	readonly stalled?: boolean;
	/** Limit that the answer went beyond. */
	readonly limit?: number;
}

export type ProviderError = ProwessError & { readonly facts: ProviderErrorFacts };
