/**
 * Ollama's own interface, beside the one that is as OpenAI's: only here a request says with how much context the model is to
 * run. Without that word Ollama takes what it finds right, and silently cuts what does not fit.
 */
import { textOrEmpty, nonEmptyText } from '../../../../base/text/lenient.ts';
import type { ImageRef } from '../../../../protocol/ops/images.ts';
import { sentImages } from '../../images.ts';
import type { AssistantPart, ModelMessage, ProviderError, StopReason } from '../../model-port.ts';
import { isProviderError, providerError } from '../../streams/provider-error.ts';
import type { AnswerParts } from '../answer-parts.ts';
import type { AnswerReader, Dialect } from './dialect.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../loose-json.ts';
import { streamModel as streamCompatible, toFunctionTools } from './openai-compatible.ts';
import { ofThisEndpoint, ownMetadata } from '../own-metadata.ts';
import { cutError, EventGate } from '../provider-failure.ts';
import { streamDialect } from '../stream-dialect.ts';
import { StreamedCalls } from '../streamed-calls.ts';
import type { Endpoint, StreamModel } from '../vendor.ts';
import { parseWireInput } from '../wire-calls.ts';

const OLLAMA_DIALECT = 'ollama';
/** Refused in place of a parameter: something in between lets only the other interface through. */
const OWN_INTERFACE = '/api/chat';

const ollamaDialect: Dialect = {
	// Beside the interface that the base URL is of.
	root: (baseUrl) => baseUrl.replace(/\/v1\/?$/, ''),
	path: () => OWN_INTERFACE,
	framing: 'lines',
	optional: [{ name: 'think', refusedBy: /think/i, isEffort: true }],
	body({ system, messages, tools, maxOutputTokens, temperature }, endpoint, leftOut) {
		const { modelId, effort, window } = endpoint;
		return {
			model: modelId,
			messages: [
				...(system === '' ? [] : [{ role: 'system', content: system }]),
				...messages.flatMap((message) => toOllamaMessages(message, endpoint)),
			],
			...(tools.length > 0 && { tools: toFunctionTools(tools) }),
			...(effort !== undefined && !leftOut.has('think') && { think: effort === 'off' ? false : effort }),
			options: {
				num_ctx: window,
				...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
				...(temperature !== undefined && { temperature }),
			},
			stream: true,
		};
	},
	reader: (answer, endpoint) => new OllamaLineReader(answer, endpoint),
};

const streamOwn = streamDialect(ollamaDialect);

export const streamModel: StreamModel = async function* (endpoint, request, signal) {
	if (!endpoint.refusals.of(endpoint).has(OWN_INTERFACE)) {
		try {
			yield* streamOwn(endpoint, request, signal);
			return;
		} catch (error) {
			// A refusal passes on no part, so the request may be made again. Only NOT_FOUND is tried at the compatible
			// interface; a model that is missing is missing there as well.
			if (!isProviderError(error) || error.facts.status !== NOT_FOUND) {
				throw error;
			}
		}
	}
	try {
		for await (const part of streamCompatible(endpoint, request, signal)) {
			// Only what the other interface answers was refused because of the interface, and not of the model.
			if (!endpoint.refusals.of(endpoint).has(OWN_INTERFACE)) endpoint.refusals.note(endpoint, OWN_INTERFACE);
			yield part;
		}
	} catch (error) {
		throw isProviderError(error) && error.code === 'MODEL_NOT_FOUND' ? missingModelError(endpoint, error) : error;
	}
};

/** Both interfaces say only that something is not there. */
function missingModelError({ modelId, providerId }: Endpoint, error: ProviderError): ProviderError {
	const message = `Ollama ("${providerId}") does not have the model "${modelId}": ${error.facts.said ?? '404'}`;
	return providerError('MODEL_NOT_FOUND', message, { ...error.facts, model: modelId, pullable: modelId }, error);
}

const NOT_FOUND = 404;

function toOllamaMessages(message: ModelMessage, endpoint: Endpoint): JsonObject[] {
	switch (message.role) {
		case 'user':
			return [{ role: 'user', content: message.text, ...toOllamaImages(message.images, endpoint) }];
		case 'assistant':
			return toOllamaAssistant(message.parts, endpoint);
		case 'tool':
			return message.results.map(({ tool, text, images }) => ({
				role: 'tool',
				tool_name: tool,
				content: text,
				...toOllamaImages(images, endpoint),
			}));
	}
}

/** Bytes alone: what they are, it finds out. */
function toOllamaImages(refs: readonly ImageRef[] | undefined, { imageData }: Endpoint): JsonObject {
	const images = sentImages(refs, imageData).map(({ data }) => data);
	return images.length === 0 ? {} : { images };
}

function toOllamaAssistant(parts: readonly AssistantPart[], endpoint: Endpoint): JsonObject[] {
	let content = '';
	let thinking = '';
	const calls: JsonObject[] = [];
	for (const part of parts) {
		if (part.kind === 'text') {
			content += part.text;
		} else if (part.kind === 'toolCall') {
			calls.push({ function: { name: part.tool, arguments: parseWireInput(part.inputText) } });
		} else if (ofThisEndpoint(OLLAMA_DIALECT, endpoint, part.metadata) !== undefined) {
			thinking += part.text;
		}
	}
	if (content === '' && thinking === '' && calls.length === 0) {
		return [];
	}
	return [
		{
			role: 'assistant',
			content,
			...(thinking !== '' && { thinking }),
			...(calls.length > 0 && { tool_calls: calls }),
		},
	];
}

class OllamaLineReader implements AnswerReader {
	readonly #answer: AnswerParts;
	readonly #endpoint: Endpoint;
	readonly #gate: EventGate;
	readonly #calls = new StreamedCalls();
	#last: JsonObject = {};

	constructor(answer: AnswerParts, endpoint: Endpoint) {
		this.#answer = answer;
		this.#endpoint = endpoint;
		this.#gate = new EventGate(endpoint);
		answer.keepThoughts(ownMetadata(OLLAMA_DIALECT, endpoint, {}));
	}

	take(event: JsonObject): void {
		this.#gate.passEvent(event);
		this.#last = event;
		const message = objectOrEmpty(event['message']);
		this.#answer.delta('thinking', textOrEmpty(message['thinking']));
		this.#answer.text(textOrEmpty(message['content']));
		for (const call of listOrEmpty(message['tool_calls'])) {
			this.#answer.endBlock();
			this.#calls.takeWhole(objectOrEmpty(call));
			this.#answer.goOn(0);
		}
	}

	end(isDone: boolean): void {
		if (!isDone) {
			throw cutError(this.#endpoint);
		}
		for (const { id, tool, inputText } of this.#calls.list) {
			this.#answer.call({ callId: id, tool, inputText: inputText || '{}' });
		}
		const { prompt_eval_count: input, eval_count: output } = this.#last;
		this.#answer.finish(this.#stopReason(), { input, output, given: output });
	}

	#stopReason(): StopReason {
		const reason = nonEmptyText(this.#last['done_reason']) ?? 'stop';
		if (reason === 'length') {
			return 'length';
		}
		if (this.#calls.list.length > 0) {
			return 'toolCalls';
		}
		return reason === 'stop' ? 'stop' : 'unknown';
	}
}
