/** Anthropic's Messages, and whoever else speaks it. */
import { textOrEmpty } from '../../../../base/text/lenient.ts';
import type { ImageRef } from '../../../../protocol/ops/images.ts';
import { sentImages } from '../../images.ts';
import type { AssistantPart, ModelMessage, ModelRequest, StopReason } from '../../model-port.ts';
import type { AnswerParts } from '../answer-parts.ts';
import type { AnswerReader, Dialect } from './dialect.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../loose-json.ts';
import { ofThisEndpoint, ownMetadata } from '../own-metadata.ts';
import { cutError, refuseErrorEvent } from '../provider-failure.ts';
import { streamDialect } from '../stream-dialect.ts';
import type { Endpoint } from '../vendor.ts';
import { parseWireInput, toInputText } from '../wire-calls.ts';

const ANTHROPIC_DIALECT = 'anthropic';
const CACHED = { cache_control: { type: 'ephemeral' } };

/** An answer needs a limit here. Models that are not the vendor's own take what the larger ones of today do. */
const OUTPUT_LIMITS: readonly (readonly [RegExp, number])[] = [
	[/^claude-3-(?:opus|sonnet|haiku)/, 4_096],
	[/^claude-3-5/, 8_192],
	[/^claude-opus-4-[01]/, 32_000],
	[/^claude-/, 64_000],
	[/./, 32_000],
];

function ownLimit(modelId: string): number {
	return OUTPUT_LIMITS.find(([name]) => name.test(modelId))?.[1] ?? 0;
}

/** Tokens a model may think. */
const CLAUDE_THOUGHT_TOKENS = { off: 0, low: 4_096, medium: 10_240, high: 24_576 } as const;
/** A smaller budget is refused. */
const LEAST_THOUGHT_TOKENS = 1_024;
/** The rest is for the answer. */
const THOUGHT_SHARE = 0.8;

const ANTHROPIC_STOP_REASONS: Readonly<Record<string, StopReason>> = {
	end_turn: 'stop',
	stop_sequence: 'stop',
	tool_use: 'toolCalls',
	max_tokens: 'length',
	model_context_window_exceeded: 'length',
	refusal: 'refusal',
	pause_turn: 'paused',
};

/**
 * Two cache marks: one ends tools and system, one is set for the whole request and lets the endpoint mark the last message.
 * No message carries a mark itself, so history stays the same bytes from request to request.
 */
const anthropicDialect: Dialect = {
	path: () => '/messages',
	optional: [
		{ name: 'cache_control', refusedBy: /cache_control/ },
		{ name: 'thinking', refusedBy: /thinking|budget_tokens/, isEffort: true },
		{ name: 'temperature', refusedBy: /temperature/ },
	],
	// The output limits of the vendor's own models are known; only other models can be asked for more.
	raises: (tokens, modelId) => !modelId.startsWith('claude-') && tokens > ownLimit(modelId),
	body(request, endpoint, leftOut) {
		const mark = leftOut.has('cache_control') ? {} : CACHED;
		const { system, tools, temperature } = request;
		const most = request.maxOutputTokens ?? ownLimit(endpoint.modelId);
		const thought =
			leftOut.has('thinking') || isUnderWayWithoutThoughts(request, endpoint) ? 0 : thoughtTokens(endpoint, most);
		return {
			model: endpoint.modelId,
			max_tokens: most,
			// Thoughts count as output, and a temperature is refused beside them.
			...(thought > 0 && { thinking: { type: 'enabled', budget_tokens: thought } }),
			...(thought === 0 && temperature !== undefined && !leftOut.has('temperature') && { temperature }),
			...mark,
			...(system !== '' && { system: [{ type: 'text', text: system, ...mark }] }),
			messages: toMessages(request, endpoint),
			...(tools.length > 0 && {
				tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
			}),
			stream: true,
		};
	},
	reader: (answer, endpoint) => new AnthropicReader(answer, endpoint),
};

export const streamModel = streamDialect(anthropicDialect);

function thoughtTokens({ effort = 'off' }: Endpoint, most: number): number {
	const tokens = Math.min(CLAUDE_THOUGHT_TOKENS[effort], Math.floor(most * THOUGHT_SHARE));
	return tokens < LEAST_THOUGHT_TOKENS ? 0 : tokens;
}

/**
 * Returns true when the last results belong to calls without thoughts that this endpoint has signed: they were made by
 * another model, or before an effort was chosen. The endpoint refuses to think on from there; after the user's next
 * words it thinks again.
 */
function isUnderWayWithoutThoughts({ messages }: ModelRequest, endpoint: Endpoint): boolean {
	const asked = messages.findLast(({ role }) => role === 'assistant');
	return (
		messages.at(-1)?.role === 'tool' &&
		asked?.role === 'assistant' &&
		!['thinking', 'redacted_thinking'].includes(String(toAnthropicContent(asked, endpoint)[0]?.['type']))
	);
}

/** Results and the user's words that follow each other are one message. */
function toMessages({ messages }: ModelRequest, endpoint: Endpoint): readonly JsonObject[] {
	const sent: { role: string; content: JsonObject[] }[] = [];
	for (const message of messages) {
		const role = message.role === 'assistant' ? 'assistant' : 'user';
		const content = toAnthropicContent(message, endpoint);
		const last = sent.at(-1);
		if (last?.role === role) {
			last.content.push(...content);
		} else if (content.length > 0) {
			// Endpoints refuse a message without content.
			sent.push({ role, content });
		}
	}
	return sent;
}

function toAnthropicContent(message: ModelMessage, endpoint: Endpoint): JsonObject[] {
	switch (message.role) {
		case 'user':
			return [...toImageBlocks(message.images, endpoint), ...textBlocks(message.text)];
		case 'assistant':
			return message.parts.flatMap((part) => toAnthropicBlocks(part, endpoint));
		case 'tool':
			return message.results.map(({ callId, text, isError, images }) => ({
				type: 'tool_result',
				tool_use_id: callId,
				content: images === undefined ? text : [...textBlocks(text), ...toImageBlocks(images, endpoint)],
				...(isError && { is_error: true }),
			}));
	}
}

/** Endpoints refuse a text of nothing but space, as some models write it before they call. */
function textBlocks(text: string): JsonObject[] {
	return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toImageBlocks(images: readonly ImageRef[] | undefined, { imageData }: Endpoint): JsonObject[] {
	return sentImages(images, imageData).map(({ type, data }) => ({
		type: 'image',
		source: { type: 'base64', media_type: type, data },
	}));
}

function toAnthropicBlocks(part: AssistantPart, endpoint: Endpoint): JsonObject[] {
	switch (part.kind) {
		case 'text':
			return textBlocks(part.text);
		case 'thinking': {
			const { signature, redactedData } = ofThisEndpoint(ANTHROPIC_DIALECT, endpoint, part.metadata) ?? {};
			if (redactedData !== undefined) {
				return [{ type: 'redacted_thinking', data: redactedData }];
			}
			return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }];
		}
		case 'toolCall':
			return [{ type: 'tool_use', id: part.callId, name: part.tool, input: parseWireInput(part.inputText) }];
	}
}

interface OpenBlock {
	readonly type: string;
	readonly start: JsonObject;
	signature: string;
	input: string;
}

class AnthropicReader implements AnswerReader {
	readonly #answer: AnswerParts;
	readonly #endpoint: Endpoint;
	readonly #blocks = new Map<unknown, OpenBlock>();
	#usage: JsonObject = {};
	#stopReason: string | undefined;

	constructor(answer: AnswerParts, endpoint: Endpoint) {
		this.#answer = answer;
		this.#endpoint = endpoint;
	}

	take(event: JsonObject): void {
		switch (event['type']) {
			case 'message_start':
				this.#usage = objectOrEmpty(objectOrEmpty(event['message'])['usage']);
				break;
			case 'content_block_start':
				this.#begin(event['index'], objectOrEmpty(event['content_block']));
				break;
			case 'content_block_delta':
				this.#delta(this.#blocks.get(event['index']), objectOrEmpty(event['delta']));
				break;
			case 'content_block_stop':
				this.#end(event['index']);
				break;
			case 'message_delta':
				this.#stopReason = textOrEmpty(objectOrEmpty(event['delta'])['stop_reason']) || this.#stopReason;
				this.#usage = { ...this.#usage, ...objectOrEmpty(event['usage']) };
				break;
			case 'message_stop':
				this.#finish();
				break;
			case 'message':
				this.#whole(event);
				break;
			default:
				refuseErrorEvent(this.#endpoint, event);
		}
	}

	end(): void {
		if (this.#stopReason === undefined) {
			throw cutError(this.#endpoint);
		}
		this.#finish();
	}

	#begin(index: unknown, start: JsonObject): void {
		const block = { type: textOrEmpty(start['type']), start, signature: '', input: '' };
		this.#blocks.set(index, block);
		if (block.type === 'tool_use') {
			this.#answer.callBegun(textOrEmpty(start['name']));
		}
		if (block.type === 'text') {
			this.#answer.text(textOrEmpty(start['text']));
		} else if (block.type === 'thinking') {
			this.#answer.delta('thinking', textOrEmpty(start['thinking']));
			block.signature = textOrEmpty(start['signature']);
		}
	}

	#delta(block: OpenBlock | undefined, delta: JsonObject): void {
		switch (delta['type']) {
			case 'text_delta':
				this.#answer.text(textOrEmpty(delta['text']));
				break;
			case 'thinking_delta':
				this.#answer.delta('thinking', textOrEmpty(delta['thinking']));
				break;
			case 'signature_delta':
				if (block !== undefined) {
					block.signature += textOrEmpty(delta['signature']);
				}
				break;
			case 'input_json_delta':
				if (block !== undefined) {
					const piece = toInputText(delta['partial_json']);
					block.input += piece;
					this.#answer.goOn(piece.length);
				}
		}
	}

	#end(index: unknown): void {
		const block = this.#blocks.get(index);
		this.#blocks.delete(index);
		if (block === undefined) {
			return;
		}
		switch (block.type) {
			case 'thinking':
				this.#answer.endBlock(
					'thinking',
					block.signature === ''
						? undefined
						: ownMetadata(ANTHROPIC_DIALECT, this.#endpoint, { signature: block.signature }),
				);
				break;
			case 'redacted_thinking':
				this.#answer.endBlock(
					'thinking',
					ownMetadata(ANTHROPIC_DIALECT, this.#endpoint, { redactedData: textOrEmpty(block.start['data']) }),
				);
				break;
			case 'tool_use':
				this.#answer.call({
					callId: textOrEmpty(block.start['id']),
					tool: textOrEmpty(block.start['name']),
					inputText: block.input === '' ? toInputText(block.start['input']) || '{}' : block.input,
				});
		}
	}

	/** The same answer without a stream. */
	#whole(message: JsonObject): void {
		for (const content of listOrEmpty(message['content'])) {
			this.#begin(0, objectOrEmpty(content));
			this.#end(0);
		}
		this.#usage = objectOrEmpty(message['usage']);
		this.#stopReason = textOrEmpty(message['stop_reason']);
		this.#finish();
	}

	#finish(): void {
		const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = this.#usage;
		const input = [fresh, read ?? 0, written ?? 0].every((count) => typeof count === 'number')
			? Number(fresh) + Number(read ?? 0) + Number(written ?? 0)
			: undefined;
		this.#answer.finish(ANTHROPIC_STOP_REASONS[this.#stopReason ?? ''] ?? 'unknown', {
			input,
			output: this.#usage['output_tokens'],
			cachedInput: read,
			...(typeof written === 'number' && written > 0 && { cacheWrite: written }),
		});
	}
}
