/** OpenAI's Responses, with nothing kept at the vendor: history goes out whole, reasoning encrypted with it. */
import { stringifyWellFormed } from '../../../../base/text/well-formed.ts';
import { textOrEmpty, nonEmptyText } from '../../../../base/text/lenient.ts';
import type { ImageRef } from '../../../../protocol/ops/images.ts';
import { sentImages } from '../../images.ts';
import type { AssistantPart, ModelMessage, ModelRequest, StopReason } from '../../model-port.ts';
import type { AnswerParts } from '../answer-parts.ts';
import type { AnswerReader, Dialect } from './dialect.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../loose-json.ts';
import { ofThisEndpoint, ownMetadata } from '../own-metadata.ts';
import { cutError, refuseErrorEvent } from '../provider-failure.ts';
import { streamDialect } from '../stream-dialect.ts';
import { OPENAI_REASONS } from '../thinking-models.ts';
import type { Endpoint } from '../vendor.ts';
import { parseWireInput, toInputText } from '../wire-calls.ts';

const OPENAI_DIALECT = 'openai';

/** Why an answer is not whole. */
const INCOMPLETE: Readonly<Record<string, StopReason>> = {
	max_output_tokens: 'length',
	max_tokens: 'length',
	content_filter: 'contentFilter',
	pause_turn: 'paused',
};

const responsesDialect: Dialect = {
	path: () => '/responses',
	optional: [
		{ name: 'include', refusedBy: /encrypted content|'?include'?\b/i },
		{ name: 'summary', refusedBy: /reasoning\.summary|reasoning summar/i },
		{ name: 'reasoning', refusedBy: /reasoning/i, isEffort: true },
		{ name: 'temperature', refusedBy: /temperature/i },
	],
	body(request, endpoint, leftOut) {
		const { system, tools, maxOutputTokens, temperature } = request;
		const reasons = OPENAI_REASONS.test(endpoint.modelId);
		return {
			model: endpoint.modelId,
			input: [
				...(system === '' ? [] : [{ role: reasons ? 'developer' : 'system', content: system }]),
				...request.messages.flatMap((message) => toInputItems(message, endpoint)),
			],
			...(temperature !== undefined && !reasons && !leftOut.has('temperature') && { temperature }),
			...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
			store: false,
			...(reasons &&
				endpoint.effort !== undefined &&
				!leftOut.has('reasoning') && { reasoning: toReasoningConfig(endpoint, leftOut) }),
			...(reasons && !leftOut.has('include') && { include: ['reasoning.encrypted_content'] }),
			...(tools.length > 0 && { tools: toTools(tools) }),
			stream: true,
		};
	},
	reader: (answer, endpoint) => new ResponsesReader(answer, endpoint),
};

export const streamModel = streamDialect(responsesDialect);

/** Models of the first generation, and those made for code, cannot be told not to reason at all. */
function toReasoningConfig({ modelId, effort }: Endpoint, leftOut: ReadonlySet<string>): JsonObject {
	const least = /^o\d|codex/.test(modelId) ? 'low' : /^gpt-5(?!\.)/.test(modelId) ? 'minimal' : 'none';
	return {
		effort: effort === 'off' ? least : effort,
		...(effort !== 'off' && !leftOut.has('summary') && { summary: 'auto' }),
	};
}

function toTools(tools: ModelRequest['tools']): readonly JsonObject[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		name,
		description,
		parameters: inputSchema,
		strict: false,
	}));
}

function toInputItems(message: ModelMessage, endpoint: Endpoint): JsonObject[] {
	switch (message.role) {
		case 'user':
			return [
				{
					role: 'user',
					content: [{ type: 'input_text', text: message.text }, ...imageItems(message.images, endpoint)],
				},
			];
		case 'assistant':
			return assistantItems(message.parts, endpoint);
		case 'tool':
			return message.results.map(({ callId, text, images }) => ({
				type: 'function_call_output',
				call_id: callId,
				output: images === undefined ? text : [{ type: 'input_text', text }, ...imageItems(images, endpoint)],
			}));
	}
}

function imageItems(images: readonly ImageRef[] | undefined, { imageData }: Endpoint): JsonObject[] {
	return sentImages(images, imageData).map(({ type, data }) => ({
		type: 'input_image',
		image_url: `data:${type};base64,${data}`,
	}));
}

function assistantItems(parts: readonly AssistantPart[], endpoint: Endpoint): JsonObject[] {
	const given: JsonObject[] = [];
	for (const part of parts) {
		const own = ofThisEndpoint(OPENAI_DIALECT, endpoint, part.metadata);
		switch (part.kind) {
			case 'text':
				if (part.text !== '') {
					const phase = nonEmptyText(own?.['phase']);
					given.push({ role: 'assistant', content: part.text, ...(phase !== undefined && { phase }) });
				}
				break;
			case 'thinking':
				reasoningItem(given, part.text, own);
				break;
			case 'toolCall':
				given.push({
					type: 'function_call',
					call_id: part.callId,
					name: part.tool,
					arguments: stringifyWellFormed(parseWireInput(part.inputText)),
				});
		}
	}
	// Endpoints refuse reasoning that nothing follows, as an answer that was cut leaves it.
	while (given.at(-1)?.['type'] === 'reasoning') {
		given.pop();
	}
	return given;
}

/** Reasoning is of use only with its encrypted content. Several summaries of one item go back as one. */
function reasoningItem(given: JsonObject[], text: string, own: JsonObject | undefined): void {
	const { itemId: id, reasoningEncryptedContent: encrypted } = own ?? {};
	if (nonEmptyText(id) === undefined || nonEmptyText(encrypted) === undefined) {
		return;
	}
	const summary = text === '' ? [] : [{ type: 'summary_text', text }];
	const last = given.at(-1);
	if (last?.['type'] === 'reasoning' && last['id'] === id) {
		given[given.length - 1] = { ...last, summary: [...listOrEmpty(last['summary']), ...summary] };
	} else {
		given.push({ type: 'reasoning', id, encrypted_content: encrypted, summary });
	}
}

class ResponsesReader implements AnswerReader {
	readonly #answer: AnswerParts;
	readonly #endpoint: Endpoint;
	/** Items whose words came as deltas already. */
	readonly #heard = new Set<unknown>();
	#hasRefused = false;
	#calls = 0;

	constructor(answer: AnswerParts, endpoint: Endpoint) {
		this.#answer = answer;
		this.#endpoint = endpoint;
	}

	take(event: JsonObject): void {
		switch (event['type']) {
			case 'response.output_text.delta':
				this.#delta('text', event);
				break;
			case 'response.refusal.delta':
				this.#hasRefused = true;
				this.#delta('text', event);
				break;
			case 'response.reasoning_summary_text.delta':
			case 'response.reasoning_text.delta':
				this.#delta('thinking', event);
				break;
			case 'response.reasoning_summary_part.added':
				if (this.#heard.has(event['item_id'])) {
					this.#answer.delta('thinking', '\n\n');
				}
				break;
			case 'response.output_item.added':
				this.#itemBegun(objectOrEmpty(event['item']));
				break;
			case 'response.function_call_arguments.delta':
				this.#answer.goOn(textOrEmpty(event['delta']).length);
				break;
			case 'response.output_item.done':
				this.#itemDone(objectOrEmpty(event['item']));
				break;
			case 'response.completed':
			case 'response.incomplete':
				this.#finish(objectOrEmpty(event['response']));
				break;
			default:
				refuseErrorEvent(this.#endpoint, event);
				if (event['object'] === 'response') {
					this.#whole(event);
				}
		}
	}

	end(): void {
		throw cutError(this.#endpoint);
	}

	#delta(kind: 'text' | 'thinking', event: JsonObject): void {
		const delta = textOrEmpty(event['delta']);
		if (delta !== '') {
			this.#heard.add(event['item_id']);
			if (kind === 'text') {
				this.#answer.text(delta);
			} else {
				this.#answer.delta(kind, delta);
			}
		}
	}

	#itemBegun({ type, name }: JsonObject): void {
		if (type === 'function_call') {
			this.#answer.endBlock();
			this.#answer.callBegun(textOrEmpty(name));
		}
	}

	#itemDone(item: JsonObject): void {
		const isHeard = this.#heard.has(item['id']);
		switch (item['type']) {
			case 'message': {
				if (!isHeard) {
					this.#answer.text(contentText(item['content']));
				}
				const phase = nonEmptyText(item['phase']);
				if (phase !== undefined) {
					this.#answer.endBlock('text', ownMetadata(OPENAI_DIALECT, this.#endpoint, { phase }));
				}
				break;
			}
			case 'reasoning': {
				if (!isHeard) {
					this.#answer.delta('thinking', contentText(item['summary']));
				}
				const encrypted = nonEmptyText(item['encrypted_content']);
				const kept = { itemId: item['id'], reasoningEncryptedContent: encrypted };
				this.#answer.endBlock(
					'thinking',
					encrypted === undefined ? undefined : ownMetadata(OPENAI_DIALECT, this.#endpoint, kept),
				);
				break;
			}
			case 'function_call':
				this.#calls += 1;
				this.#answer.call({
					callId: textOrEmpty(item['call_id']),
					tool: textOrEmpty(item['name']),
					inputText: toInputText(item['arguments']) || '{}',
				});
		}
	}

	/** The same answer without a stream. */
	#whole(response: JsonObject): void {
		for (const item of listOrEmpty(response['output'])) {
			this.#itemDone(objectOrEmpty(item));
		}
		this.#finish(response);
	}

	#finish(response: JsonObject): void {
		const usage = objectOrEmpty(response['usage']);
		this.#answer.finish(this.#stopReason(response), {
			input: usage['input_tokens'],
			output: usage['output_tokens'],
			cachedInput: objectOrEmpty(usage['input_tokens_details'])['cached_tokens'],
		});
	}

	#stopReason({ status, incomplete_details: details }: JsonObject): StopReason {
		const incomplete = nonEmptyText(objectOrEmpty(details)['reason']);
		if (incomplete !== undefined || status === 'incomplete') {
			return INCOMPLETE[incomplete ?? ''] ?? 'unknown';
		}
		return this.#hasRefused ? 'refusal' : this.#calls > 0 ? 'toolCalls' : 'stop';
	}
}

function contentText(content: unknown): string {
	return listOrEmpty(content)
		.map((part) => textOrEmpty(objectOrEmpty(part)['text']) || textOrEmpty(objectOrEmpty(part)['refusal']))
		.join('');
}
