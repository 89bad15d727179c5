/** Usage as the provider reports it where it can be believed, else our estimate. */
import { imageTokens } from '../images.ts';
import { modelLimits } from '../limits.ts';
import type { ModelRequest, ModelUsage } from '../model-port.ts';
import { estimateTokens } from './token-estimate.ts';

interface ReportedUsage {
	readonly input: unknown;
	readonly output: unknown;
	readonly cachedInput?: unknown;
	readonly cacheWrite?: unknown;
}

export function usageOr(reported: ReportedUsage | undefined, request: ModelRequest, received: string): ModelUsage {
	const { input, output, cachedInput, cacheWrite } = reported ?? {};
	// An answer costs input; endpoints that do not count say 0.
	if (isCount(input) && input > 0 && isCount(output)) {
		const cached = isCount(cachedInput) ? Math.min(cachedInput, input) : 0;
		const written = isCount(cacheWrite) ? { cacheWriteTokens: Math.min(cacheWrite, input - cached) } : {};
		return { inputTokens: input, outputTokens: output, cachedInputTokens: cached, ...written, estimated: false };
	}
	return {
		inputTokens: estimateRequest(request),
		outputTokens: estimateTokens(received),
		cachedInputTokens: 0,
		estimated: true,
	};
}

/** Estimates the tokens of a request before it is made. */
export function estimateRequest(request: ModelRequest): number {
	let tokens = estimateTokens(request.system);
	for (const { name, description, inputSchema } of request.tools) {
		tokens += estimateTokens(name) + estimateTokens(description) + estimateTokens(JSON.stringify(inputSchema));
	}
	for (const message of request.messages) {
		switch (message.role) {
			case 'user':
				tokens += estimateTokens(message.text) + imageTokens(message.images);
				break;
			case 'assistant':
				for (const part of message.parts) {
					tokens += estimateTokens(part.kind === 'toolCall' ? `${part.tool} ${part.inputText}` : part.text);
				}
				break;
			case 'tool':
				for (const { text, images } of message.results) {
					tokens += estimateTokens(text) + imageTokens(images);
				}
		}
	}
	return tokens;
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= modelLimits.maxTokens;
}
