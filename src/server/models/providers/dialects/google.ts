/** Google's generateContent. */
import { textOrEmpty, nonEmptyText } from '../../../../base/text/lenient.ts';
import { randomUUID } from 'node:crypto';
import type { ImageRef } from '../../../../protocol/ops/images.ts';
import { sentImages } from '../../images.ts';
import type { AssistantPart, ModelMessage, StopReason } from '../../model-port.ts';
import type { AnswerParts } from '../answer-parts.ts';
import type { AnswerReader, Dialect } from './dialect.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../loose-json.ts';
import { ofThisEndpoint, ownMetadata } from '../own-metadata.ts';
import { cutError, refuseErrorEvent } from '../provider-failure.ts';
import { streamDialect } from '../stream-dialect.ts';
import { GEMINI_THINKS } from '../thinking-models.ts';
import type { Endpoint } from '../vendor.ts';
import { parseWireInput, toInputText } from '../wire-calls.ts';

const GOOGLE_DIALECT = 'google';

const GOOGLE_STOP_REASONS: Readonly<Record<string, StopReason>> = {
	STOP: 'stop',
	MAX_TOKENS: 'length',
	SAFETY: 'contentFilter',
	RECITATION: 'contentFilter',
	LANGUAGE: 'contentFilter',
	BLOCKLIST: 'contentFilter',
	PROHIBITED_CONTENT: 'contentFilter',
	SPII: 'contentFilter',
	IMAGE_SAFETY: 'contentFilter',
	IMAGE_PROHIBITED_CONTENT: 'contentFilter',
	IMAGE_RECITATION: 'contentFilter',
	MALFORMED_FUNCTION_CALL: 'malformedCall',
	UNEXPECTED_TOOL_CALL: 'malformedCall',
};

const googleDialect: Dialect = {
	path: (modelId) => `/${modelId.includes('/') ? modelId : `models/${modelId}`}:streamGenerateContent?alt=sse`,
	optional: [{ name: 'thoughts', refusedBy: /thinking|includeThoughts/i, isEffort: true }],
	body(request, endpoint, leftOut) {
		const { system, tools, maxOutputTokens, temperature } = request;
		const withThoughts = GEMINI_THINKS.test(endpoint.modelId) && !leftOut.has('thoughts');
		return {
			generationConfig: {
				...(maxOutputTokens !== undefined && { maxOutputTokens }),
				...(temperature !== undefined && { temperature }),
				...(withThoughts && { thinkingConfig: { includeThoughts: true, ...toThinkingConfig(endpoint) } }),
			},
			contents: request.messages.flatMap((message) => toGoogleContents(message, endpoint)),
			...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
			...(tools.length > 0 && {
				tools: [
					{
						functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
							name,
							description,
							parametersJsonSchema: inputSchema,
						})),
					},
				],
			}),
		};
	},
	reader: (answer, endpoint) => new GoogleReader(answer, endpoint),
};

export const streamModel = streamDialect(googleDialect);

/** Tokens a model of the 2.5 generation may think; later ones take a level. */
const GEMINI_THOUGHT_TOKENS = { off: 0, low: 2_048, medium: 8_192, high: 24_576 } as const;
/** The largest of that generation always thinks, so much at least. */
const LEAST_THOUGHT_TOKENS_OF_PRO = 128;

/**
 * Levels of the later generations: small models take each level, large models take the two levels that all models take.
 */
const THINKING_LEVELS = { off: 'minimal', low: 'low', medium: 'medium', high: 'high' } as const;
const LEVELS_OF_PRO = { off: 'low', low: 'low', medium: 'high', high: 'high' } as const;

function toThinkingConfig({ modelId, effort }: Endpoint): JsonObject {
	if (effort === undefined) {
		return {};
	}
	if (modelId.includes('gemini-2.5')) {
		const least = modelId.includes('pro') ? LEAST_THOUGHT_TOKENS_OF_PRO : 0;
		return { thinkingBudget: Math.max(least, GEMINI_THOUGHT_TOKENS[effort]) };
	}
	return { thinkingLevel: (modelId.includes('flash') ? THINKING_LEVELS : LEVELS_OF_PRO)[effort] };
}

function toGoogleContents(message: ModelMessage, endpoint: Endpoint): JsonObject[] {
	switch (message.role) {
		case 'user':
			return [{ role: 'user', parts: [...imageParts(message.images, endpoint), { text: message.text }] }];
		case 'assistant': {
			const parts = message.parts.flatMap((part) => modelPart(part, endpoint));
			// The endpoint refuses a message without parts.
			return parts.length === 0 ? [] : [{ role: 'model', parts }];
		}
		case 'tool':
			return [
				{
					role: 'user',
					parts: message.results.flatMap(({ callId, tool: name, text, isError, images }) => [
						{
							functionResponse: {
								id: callId,
								name,
								response: isError ? { name, error: text } : { name, content: text },
							},
						},
						...imageParts(images, endpoint),
					]),
				},
			];
	}
}

function imageParts(images: readonly ImageRef[] | undefined, { imageData }: Endpoint): JsonObject[] {
	return sentImages(images, imageData).map(({ type: mimeType, data }) => ({ inlineData: { mimeType, data } }));
}

function modelPart(part: AssistantPart, endpoint: Endpoint): JsonObject[] {
	const thoughtSignature = nonEmptyText(ofThisEndpoint(GOOGLE_DIALECT, endpoint, part.metadata)?.['thoughtSignature']);
	const signed = thoughtSignature === undefined ? {} : { thoughtSignature };
	switch (part.kind) {
		case 'text':
			// A text without characters can carry a signature that has to go back.
			return part.text === '' && thoughtSignature === undefined ? [] : [{ text: part.text, ...signed }];
		case 'thinking':
			return thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, thoughtSignature }];
		case 'toolCall': {
			const functionCall = { id: part.callId, name: part.tool, args: parseWireInput(part.inputText) };
			return [{ functionCall, ...signed }];
		}
	}
}

class GoogleReader implements AnswerReader {
	readonly #answer: AnswerParts;
	readonly #endpoint: Endpoint;
	#usage: JsonObject = {};
	#reason: StopReason | undefined;
	#calls = 0;

	constructor(answer: AnswerParts, endpoint: Endpoint) {
		this.#answer = answer;
		this.#endpoint = endpoint;
	}

	take(event: JsonObject): void {
		refuseErrorEvent(this.#endpoint, event);
		this.#usage = { ...this.#usage, ...objectOrEmpty(event['usageMetadata']) };
		if (nonEmptyText(objectOrEmpty(event['promptFeedback'])['blockReason']) !== undefined) {
			this.#reason = 'contentFilter';
		}
		const candidate = objectOrEmpty(listOrEmpty(event['candidates'])[0]);
		for (const part of listOrEmpty(objectOrEmpty(candidate['content'])['parts'])) {
			this.#part(objectOrEmpty(part));
		}
		const reason = nonEmptyText(candidate['finishReason']);
		if (reason !== undefined) {
			this.#reason = GOOGLE_STOP_REASONS[reason] ?? 'unknown';
		}
	}

	/** Finishes the answer. The usage comes after the reason, so only the end of the stream makes the answer whole. */
	end(): void {
		if (this.#reason === undefined) {
			throw cutError(this.#endpoint);
		}
		const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = this.#usage;
		this.#answer.finish(this.#reason === 'stop' && this.#calls > 0 ? 'toolCalls' : this.#reason, {
			input: promptTokenCount,
			output:
				typeof candidatesTokenCount === 'number'
					? candidatesTokenCount + readTokenCount(thoughtsTokenCount)
					: thoughtsTokenCount,
			cachedInput: cachedContentTokenCount,
			given: candidatesTokenCount,
		});
	}

	#part(part: JsonObject): void {
		const thoughtSignature = nonEmptyText(part['thoughtSignature']);
		const metadata =
			thoughtSignature === undefined ? undefined : ownMetadata(GOOGLE_DIALECT, this.#endpoint, { thoughtSignature });
		if (part['functionCall'] !== undefined) {
			const { id, name, args } = objectOrEmpty(part['functionCall']);
			this.#calls += 1;
			this.#answer.call({
				callId: nonEmptyText(id) ?? `call_${randomUUID().slice(0, 8)}`,
				tool: textOrEmpty(name),
				inputText: toInputText(args) || '{}',
				...(metadata !== undefined && { metadata }),
			});
			return;
		}
		if (typeof part['text'] !== 'string') {
			return;
		}
		const kind = part['thought'] === true ? 'thinking' : 'text';
		if (kind === 'text') {
			this.#answer.text(part['text']);
		} else {
			this.#answer.delta(kind, part['text']);
		}
		if (metadata !== undefined) {
			this.#answer.endBlock(kind, metadata);
		}
	}
}

function readTokenCount(count: unknown): number {
	return typeof count === 'number' ? count : 0;
}
