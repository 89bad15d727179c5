/**
 * The AI SDK's models as ours, without its loop: `doStream` once per request, nothing retried. Parts go on as they come;
 * a delta costs one small object and no copy of anything.
 */
import type {
	LanguageModelV4,
	LanguageModelV4StreamPart,
	LanguageModelV4Usage,
	SharedV4ProviderMetadata,
	SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { deriveSignal } from '../../../base/derived-signal.ts';
import type { ModelPart, ModelRequest } from '../model-port.ts';
import { providerError } from '../provider-error.ts';
import { usageOr } from '../usage.ts';
import { cutError, toProviderError } from './failure.ts';
import { type Dialect, toPrompt, toTools } from './prompt.ts';
import { StreamWatch } from '../stream-watch.ts';
import type { Endpoint } from './vendor.ts';

interface AiSdkVendor extends Dialect {
	readonly endpoint: Endpoint;
	/** Sent with every request. */
	readonly callOptions?: SharedV4ProviderOptions;
	open(watch: StreamWatch): LanguageModelV4;
}

type ToolCall = Extract<ModelPart, { kind: 'toolCall' }>;

export async function* streamAiSdkModel(
	vendor: AiSdkVendor,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
	signal.throwIfAborted();
	const { endpoint } = vendor;
	const running = deriveSignal(signal);
	const watch = new StreamWatch(endpoint.limits, (stalled, afterMs) =>
		running.abort(stallError(endpoint, stalled, afterMs)),
	);
	let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
	let hasBegun = false;
	try {
		const tools = toTools(request.tools);
		const { stream } = await vendor.open(watch).doStream({
			prompt: toPrompt(request, vendor),
			...(tools.length > 0 && { tools }),
			...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
			...(request.temperature !== undefined && { temperature: request.temperature }),
			...(vendor.callOptions !== undefined && { providerOptions: vendor.callOptions }),
			abortSignal: running.signal,
		});
		reader = stream.getReader();
		const translation = new Translation(endpoint, request);
		for (;;) {
			const { done, value } = await reader.read();
			if (done) {
				throw cutError(endpoint);
			}
			if (!SAYS_NOTHING.has(value.type)) {
				watch.part();
			}
			const part = translation.next(value);
			if (part === undefined) {
				continue;
			}
			hasBegun = true;
			if (part.kind !== 'finish') {
				yield part;
				continue;
			}
			yield* translation.held;
			yield part;
			return;
		}
	} catch (error) {
		signal.throwIfAborted();
		throw running.signal.aborted ? running.signal.reason : toProviderError(error, endpoint, hasBegun);
	} finally {
		watch.dispose();
		// Also when the reader of our parts has had enough: the request must not go on behind its back.
		running.abort(new Error('the stream is no longer read'));
		running.dispose();
		reader?.cancel().catch(() => {
			// It has failed already, or ends by the abort above.
		});
	}
}

/** An endpoint can send these for ever without answering. */
const SAYS_NOTHING: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set([
	'stream-start',
	'response-metadata',
	'raw',
	'ping',
]);

function stallError(endpoint: Endpoint, stalled: 'first' | 'idle', afterMs: number): Error {
	const { providerId: provider, modelId } = endpoint;
	const [code, what] =
		stalled === 'first'
			? (['PROVIDER_UNREACHABLE', 'sent nothing'] as const)
			: (['STREAM_CUT', 'went silent'] as const);
	const message = `provider "${provider}" ${what} for ${afterMs / 1000} s while answering with "${modelId}"`;
	return providerError(code, message, { provider, retryable: true });
}

class Translation {
	/** Calls whose input is no JSON: perhaps cut off, so they count only when the answer is whole. */
	readonly held: ToolCall[] = [];
	readonly #endpoint: Endpoint;
	readonly #request: ModelRequest;
	readonly #callIds = new Set<string>();
	/** Of the open block: blocks follow each other. */
	#metadata: SharedV4ProviderMetadata | undefined;
	#isEmpty = true;
	/** For an estimate, should the endpoint not report usage. */
	#received = '';

	constructor(endpoint: Endpoint, request: ModelRequest) {
		this.#endpoint = endpoint;
		this.#request = request;
	}

	/** Undefined: nothing for us. Throws what the stream says went wrong. */
	next(part: LanguageModelV4StreamPart): ModelPart | undefined {
		switch (part.type) {
			case 'text-start':
			case 'reasoning-start':
				this.#isEmpty = true;
				this.#metadata = part.providerMetadata;
				return undefined;
			case 'text-delta':
			case 'reasoning-delta':
				// A signature comes as a delta without text.
				this.#metadata = part.providerMetadata ?? this.#metadata;
				if (part.delta === '') {
					return undefined;
				}
				this.#isEmpty = false;
				this.#received += part.delta;
				return { kind: part.type === 'text-delta' ? 'textDelta' : 'thinkingDelta', text: part.delta };
			case 'text-end':
			case 'reasoning-end':
				return this.#blockEnd(part.type === 'text-end' ? 'textEnd' : 'thinkingEnd', part.providerMetadata);
			case 'tool-call':
				return part.providerExecuted === true ? undefined : this.#toolCall(part);
			case 'error':
				throw toProviderError(part.error, this.#endpoint, true);
			case 'finish':
				if (part.finishReason.unified === 'interrupted') {
					throw cutError(this.#endpoint);
				}
				return {
					kind: 'finish',
					truncated: part.finishReason.unified === 'length',
					usage: usageOr(reported(part.usage), this.#request, this.#received),
				};
			default:
				return undefined;
		}
	}

	/** A block without text counts only for what the provider wants back with it. */
	#blockEnd(kind: 'textEnd' | 'thinkingEnd', last: SharedV4ProviderMetadata | undefined): ModelPart | undefined {
		const metadata = last ?? this.#metadata;
		if (metadata !== undefined) {
			return { kind, metadata };
		}
		return this.#isEmpty ? undefined : { kind };
	}

	#toolCall(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): ToolCall | undefined {
		this.#received += part.toolName + part.input;
		const call: ToolCall = {
			kind: 'toolCall',
			callId: this.#uniqueId(part.toolCallId),
			tool: part.toolName,
			inputText: part.input,
			...(part.providerMetadata !== undefined && { metadata: part.providerMetadata }),
		};
		if (isJson(part.input)) {
			return call;
		}
		this.held.push(call);
		return undefined;
	}

	/** Results are matched by id, so two calls of one answer may not share theirs. */
	#uniqueId(wanted: string): string {
		let id = wanted;
		for (let count = 2; this.#callIds.has(id); count += 1) {
			id = `${wanted}_${count}`;
		}
		this.#callIds.add(id);
		return id;
	}
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

function reported({ inputTokens, outputTokens }: LanguageModelV4Usage) {
	return { input: inputTokens.total, output: outputTokens.total, cachedInput: inputTokens.cacheRead };
}
