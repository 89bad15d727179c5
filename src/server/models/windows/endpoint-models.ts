/** Reads an endpoint's list of models. Sends one small GET with a time limit and no retry: the user sees the fault. */
import { parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import { deriveSignal, TimeoutError } from '../../../base/time/derived-signal.ts';
import type { Price, ProviderConfig, ProviderKind } from '../../../protocol/turn/models.ts';
import { modelLimits } from '../limits.ts';
import { isProviderError, providerError, shortenProviderText } from '../streams/provider-error.ts';
import { priceIn } from './prices.ts';
import { requireBaseUrl } from '../provider-model.ts';
import { providers } from '../providers/index.ts';
import { createResponseRefusal, readResponseText } from '../providers/small-answer.ts';
import { programListing, type ModelServerProgram } from './server-program.ts';

export interface EndpointModel {
	readonly id: string;
	readonly name: string;
	/** If the endpoint says so. */
	readonly contextWindow?: number;
	/** Tokens of an answer, if the endpoint says so. */
	readonly mostOutput?: number;
	/** If the endpoint says so. */
	readonly price?: Price;
	/** True when the model takes an effort of thinking; absent: the endpoint does not say. */
	readonly thinks?: boolean;
	/** Program behind the endpoint, if it can be told. */
	readonly listedBy?: ModelServerProgram;
}

export async function endpointModels(
	config: ProviderConfig,
	key: string | null,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<EndpointModel[]> {
	const baseUrl = requireBaseUrl(config);
	const { modelsPath, keyHeader } = providers[config.kind];
	const limited = deriveSignal(signal, { what: `provider "${config.id}": list of models`, timeoutMs });
	try {
		const response = await fetch(`${baseUrl}${modelsPath}`, {
			headers: key === null ? {} : keyHeader(key),
			redirect: 'manual',
			signal: limited.signal,
		});
		const text = await readResponseText(response, modelLimits.maxListBytes);
		if (response.status === 404 || response.status === 405) {
			const message = `provider "${config.id}" has no list of models at ${baseUrl}${pathOnly(modelsPath)}; its base URL usually ends in /v1, or name its models in prowess.providers`;
			throw providerError('PROVIDER_ERROR', message, {
				provider: config.id,
				status: response.status,
				retryable: false,
			});
		}
		if (!response.ok) {
			throw createResponseRefusal(response, text, { provider: config.id, key, body: text.slice(0, 4000) });
		}
		return modelsIn(config, text);
	} catch (error) {
		signal.throwIfAborted();
		throw asProviderError(error, config, baseUrl);
	} finally {
		limited.dispose();
	}
}

/** The endpoint answers, but lists nothing: some model servers do not. */
export function isNoList(error: unknown): boolean {
	return isProviderError(error) && (error.facts.status === 404 || error.facts.status === 405);
}

function pathOnly(path: string): string {
	return path.split('?')[0] ?? path;
}

function modelsIn(config: ProviderConfig, text: string): EndpointModel[] {
	const body = parseJsonOrUndefined(text);
	// OpenAI and Anthropic say `data`, Google says `models`.
	const list = isRecord(body) ? (body['data'] ?? body['models']) : body;
	if (!Array.isArray(list)) {
		const message = `provider "${config.id}" sent no list of models; its base URL usually ends in /v1`;
		throw providerError('PROVIDER_ERROR', message, { provider: config.id, retryable: false });
	}
	return list
		.slice(0, modelLimits.maxListedModels)
		.filter(isRecord)
		.flatMap((model) => endpointModel(config.kind, model));
}

function endpointModel(kind: ProviderKind, model: Record<string, unknown>): EndpointModel[] {
	const raw = kind === 'google' ? model['name'] : model['id'];
	if (typeof raw !== 'string' || raw === '' || raw.length > 200) {
		return [];
	}
	const methods = model['supportedGenerationMethods'];
	if (Array.isArray(methods) && !methods.includes('generateContent')) {
		return [];
	}
	const id = raw.replace(/^models\//, '');
	if (NO_CHAT.test(id)) {
		return [];
	}
	const price = priceIn(model['pricing']);
	const listedBy = kind === 'openai-compatible' ? programListing(model) : undefined;
	const title = model['display_name'] ?? model['displayName'];
	const window = firstCount(
		model['context_length'],
		model['context_window'],
		model['max_model_len'],
		model['inputTokenLimit'],
	);
	// OpenRouter lists `supported_parameters` and `top_provider`.
	const taken = model['supported_parameters'];
	const top = model['top_provider'];
	const mostOutput = firstCount(
		isRecord(top) ? top['max_completion_tokens'] : undefined,
		model['max_completion_tokens'],
		model['max_output_tokens'],
		model['outputTokenLimit'],
	);
	return [
		{
			id,
			name: typeof title === 'string' && title !== '' ? title : id,
			...(window !== undefined && { contextWindow: window }),
			...(mostOutput !== undefined && { mostOutput }),
			...(price !== undefined && { price }),
			...(Array.isArray(taken) && { thinks: taken.some((name) => String(name).startsWith('reasoning')) }),
			...(listedBy !== undefined && { listedBy }),
		},
	];
}

function firstCount(...values: readonly unknown[]): number | undefined {
	return values.find((value): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0);
}

/** Lists name everything a vendor sells. */
const NO_CHAT =
	/embed|whisper|tts|dall-e|gpt-image|imagen|veo-|moderation|transcribe|realtime|audio|rerank|babbage|davinci|^sora|^aqa$/i;

function asProviderError(error: unknown, config: ProviderConfig, baseUrl: string): unknown {
	if (!(error instanceof TypeError) && !(error instanceof TimeoutError) && !(error instanceof RangeError)) {
		return error;
	}
	const cause = error.cause instanceof Error ? error.cause : error;
	const message = `provider "${config.id}" cannot be reached at ${new URL(baseUrl).origin}: ${shortenProviderText(cause.message)}`;
	return providerError('PROVIDER_UNREACHABLE', message, { provider: config.id, retryable: true }, cause);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
