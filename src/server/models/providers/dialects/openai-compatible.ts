/** Whatever speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, llama.cpp, OpenRouter and many vendors. */
import { stringifyWellFormed } from '../../../../base/text/well-formed.ts';
import { textOrEmpty, nonEmptyText } from '../../../../base/text/lenient.ts';
import { type ImageRef, isSoundType } from '../../../../protocol/ops/images.ts';
import { sentImages } from '../../images.ts';
import type { AssistantPart, ModelMessage, ModelRequest, StopReason, ToolResultPart } from '../../model-port.ts';
import type { AnswerParts } from '../answer-parts.ts';
import type { AnswerReader, Dialect } from './dialect.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../loose-json.ts';
import { ofThisEndpoint, ownMetadata } from '../own-metadata.ts';
import { cutError, EventGate } from '../provider-failure.ts';
import { StreamedCalls } from '../streamed-calls.ts';
import { streamDialect } from '../stream-dialect.ts';
import type { Endpoint } from '../vendor.ts';
import { parseWireInput } from '../wire-calls.ts';

/** A name of its own, not the user's id: what an earlier answer left must be found after a rename. */
const COMPATIBLE_DIALECT = 'openaiCompatible';

/** In lower case: who passes on the answers of other vendors often passes on their words for this, too. */
const CHAT_STOP_REASONS: Readonly<Record<string, StopReason>> = {
	stop: 'stop',
	eos: 'stop',
	eos_token: 'stop',
	end_turn: 'stop',
	stop_sequence: 'stop',
	complete: 'stop',
	completed: 'stop',
	tool_calls: 'toolCalls',
	tool_use: 'toolCalls',
	function_call: 'toolCalls',
	length: 'length',
	max_tokens: 'length',
	max_output_tokens: 'length',
	max_completion_tokens: 'length',
	model_length: 'length',
	model_context_window_exceeded: 'length',
	incomplete: 'length',
	content_filter: 'contentFilter',
	safety: 'contentFilter',
	recitation: 'contentFilter',
	sensitive: 'contentFilter',
	refusal: 'refusal',
	pause: 'paused',
	pause_turn: 'paused',
	malformed_function_call: 'malformedCall',
};

/** The endpoint itself gave up in the middle. */
const BROKEN_OFF_REASONS = new Set(['error', 'network_error', 'insufficient_system_resource', 'interrupted', 'abort']);

const chatDialect: Dialect = {
	path: () => '/chat/completions',
	optional: [
		{ name: 'max_tokens', refusedBy: /max_completion_tokens/ },
		{ name: 'stream_options', refusedBy: /stream_options/ },
		{ name: 'temperature', refusedBy: /temperature/i },
		{ name: 'reasoning_effort', refusedBy: /reasoning_effort|think/i, isEffort: true },
		{ name: 'reasoning_content', refusedBy: /reasoning_content/ },
	],
	body(request, endpoint, leftOut) {
		const { system, tools, maxOutputTokens, temperature } = request;
		const limit = leftOut.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
		return {
			model: endpoint.modelId,
			...(maxOutputTokens !== undefined && { [limit]: maxOutputTokens }),
			...(temperature !== undefined && !leftOut.has('temperature') && { temperature }),
			...(endpoint.effort !== undefined &&
				!leftOut.has('reasoning_effort') && {
					reasoning_effort: endpoint.effort === 'off' ? 'none' : endpoint.effort,
				}),
			messages: [
				...(system === '' ? [] : [{ role: 'system', content: system }]),
				...withoutRepeatedUsers(
					request.messages.flatMap((message) => toChatMessages(message, endpoint, !leftOut.has('reasoning_content'))),
				),
			],
			...(tools.length > 0 && { tools: toFunctionTools(tools) }),
			stream: true,
			...(!leftOut.has('stream_options') && { stream_options: { include_usage: true } }),
		};
	},
	reader: (answer, endpoint) => new ChatReader(answer, endpoint),
};

export const streamModel = streamDialect(chatDialect);

/** Declares tools as functions, as chat completions and Ollama take them. */
export function toFunctionTools(tools: ModelRequest['tools']): JsonObject[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
}

function toChatMessages(message: ModelMessage, endpoint: Endpoint, withReasoning: boolean): JsonObject[] {
	switch (message.role) {
		case 'user':
			return [{ role: 'user', content: toChatContent(message.text, message.images, endpoint) }];
		case 'assistant':
			return toChatAssistant(message.parts, endpoint, withReasoning);
		case 'tool':
			return toolMessages(message.results, endpoint);
	}
}

function toChatContent(
	text: string,
	images: readonly ImageRef[] | undefined,
	{ imageData }: Endpoint,
): string | JsonObject[] {
	const shown = sentImages(images, imageData).map(({ type, data }) =>
		isSoundType(type)
			? { type: 'input_audio', input_audio: { data, format: type === 'audio/wav' ? 'wav' : 'mp3' } }
			: { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } },
	);
	// Some endpoints understand parts only where they understand pictures.
	return shown.length === 0 ? text : [{ type: 'text', text }, ...shown];
}

/** A result is a text here: its pictures follow all results, in words of ours. */
function toolMessages(results: readonly ToolResultPart[], endpoint: Endpoint): JsonObject[] {
	const images = results.flatMap((result) => result.images ?? []);
	const hasSound = images.some(({ type }) => isSoundType(type));
	const shown = toChatContent(hasSound ? MEDIA_OF_RESULTS : IMAGES_OF_RESULTS, images, endpoint);
	return [
		...results.map(({ callId, text: content }) => ({ role: 'tool', tool_call_id: callId, content })),
		...(typeof shown === 'string' ? [] : [{ role: 'user', content: shown }]),
	];
}

/** Pictures of results come as the user's, and the user's own words may follow: templates of some models want turns to alternate. */
function withoutRepeatedUsers(messages: readonly JsonObject[]): readonly JsonObject[] {
	const sent: JsonObject[] = [];
	for (const message of messages) {
		const last = sent.at(-1);
		if (message['role'] === 'user' && last?.['role'] === 'user') {
			sent[sent.length - 1] = { role: 'user', content: [...listContentParts(last), ...listContentParts(message)] };
		} else {
			sent.push(message);
		}
	}
	return sent;
}

function listContentParts({ content }: JsonObject): readonly unknown[] {
	return typeof content === 'string' ? [{ type: 'text', text: content }] : listOrEmpty(content);
}

const IMAGES_OF_RESULTS = 'The pictures of the results above, in their order:';
const MEDIA_OF_RESULTS = 'The pictures and sounds of the results above, in their order:';

function toChatAssistant(parts: readonly AssistantPart[], endpoint: Endpoint, withReasoning: boolean): JsonObject[] {
	let content = '';
	let reasoning = '';
	const calls: JsonObject[] = [];
	for (const part of parts) {
		const own = ofThisEndpoint(COMPATIBLE_DIALECT, endpoint, part.metadata);
		switch (part.kind) {
			case 'text':
				content += part.text;
				break;
			case 'thinking':
				reasoning += own === undefined || !withReasoning ? '' : part.text;
				break;
			case 'toolCall': {
				const signature = nonEmptyText(own?.['thoughtSignature']);
				calls.push({
					id: part.callId,
					type: 'function',
					function: { name: part.tool, arguments: stringifyWellFormed(parseWireInput(part.inputText)) },
					...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
				});
			}
		}
	}
	if (content === '' && reasoning === '' && calls.length === 0) {
		return [];
	}
	return [
		{
			role: 'assistant',
			content: content === '' && calls.length > 0 ? null : content,
			...(reasoning !== '' && { reasoning_content: reasoning }),
			...(calls.length > 0 && { tool_calls: calls }),
		},
	];
}

class ChatReader implements AnswerReader {
	readonly #answer: AnswerParts;
	readonly #endpoint: Endpoint;
	readonly #gate: EventGate;
	readonly #calls: StreamedCalls;
	#usage: JsonObject = {};
	#reason: string | undefined;
	#hasRefused = false;

	constructor(answer: AnswerParts, endpoint: Endpoint) {
		this.#answer = answer;
		this.#endpoint = endpoint;
		this.#gate = new EventGate(endpoint);
		this.#calls = new StreamedCalls(answer.tools);
		answer.keepThoughts(ownMetadata(COMPATIBLE_DIALECT, endpoint, {}));
	}

	take(event: JsonObject): void {
		this.#gate.passEvent(event);
		if (event['usage'] !== undefined && event['usage'] !== null) {
			this.#usage = { ...this.#usage, ...objectOrEmpty(event['usage']) };
		}
		const choice = objectOrEmpty(listOrEmpty(event['choices'])[0]);
		// An endpoint that does not stream answers with the whole message.
		this.#delta(objectOrEmpty(choice['delta'] ?? choice['message']));
		this.#reason = nonEmptyText(choice['finish_reason'])?.toLowerCase() ?? this.#reason;
	}

	/** Some endpoints say `[DONE]` without a reason, some give a reason and no `[DONE]`. */
	end(isDone: boolean): void {
		if ((this.#reason === undefined && !isDone) || BROKEN_OFF_REASONS.has(this.#reason ?? '')) {
			throw cutError(this.#endpoint);
		}
		for (const { id, tool, inputText, signature } of this.#calls.list) {
			const metadata = signature === undefined ? undefined : this.#own({ thoughtSignature: signature });
			this.#answer.call({
				callId: id,
				tool,
				inputText: inputText || '{}',
				...(metadata !== undefined && { metadata }),
			});
		}
		const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = this.#usage;
		const cachedInput = objectOrEmpty(details)['cached_tokens'] ?? this.#usage['prompt_cache_hit_tokens'];
		this.#answer.finish(this.#stopReason(), { input, output, cachedInput });
	}

	#stopReason(): StopReason {
		if (this.#reason === undefined || this.#reason === 'stop') {
			return this.#calls.list.length > 0 ? 'toolCalls' : this.#hasRefused ? 'refusal' : 'stop';
		}
		return CHAT_STOP_REASONS[this.#reason] ?? 'unknown';
	}

	#delta(delta: JsonObject): void {
		this.#answer.delta('thinking', textOrEmpty(delta['reasoning_content']) || textOrEmpty(delta['reasoning']));
		const { content } = delta;
		if (typeof content === 'string') {
			this.#answer.text(content);
		} else {
			for (const part of listOrEmpty(content)) {
				this.#contentPart(objectOrEmpty(part));
			}
		}
		const refusal = textOrEmpty(delta['refusal']);
		// OpenAI's own way: the words of a refusal stand beside the text, and it ends like any other answer.
		this.#hasRefused ||= refusal !== '';
		this.#answer.delta('text', refusal);
		// The form before `tool_calls`: one call, without a number or an id.
		const former = delta['function_call'];
		const pieces = former === undefined || former === null ? [] : [{ function: former }];
		for (const piece of [...pieces, ...listOrEmpty(delta['tool_calls'])]) {
			this.#answer.endBlock();
			this.#answer.goOn(this.#calls.take(objectOrEmpty(piece)));
		}
	}

	/** Mistral's way: a list of texts and thoughts. */
	#contentPart(part: JsonObject): void {
		const thoughts = listOrEmpty(part['thinking']).map((thought) => textOrEmpty(objectOrEmpty(thought)['text']));
		this.#answer.delta('thinking', thoughts.join(''));
		this.#answer.text(textOrEmpty(part['text']));
	}

	#own(kept: JsonObject) {
		return ownMetadata(COMPATIBLE_DIALECT, this.#endpoint, kept);
	}
}
