/**
 * Requests embeddings of texts from a model of a connected provider. Sends one small POST with a time limit and no
 * retry: callers can compare texts in a way of their own instead.
 */
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { embeddingRequests, ProviderConfig } from '../../protocol/turn/models.ts';
import type { ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import { usageNotifications, usageRequests } from '../../protocol/turn/usage.ts';
import { modelLimits } from './limits.ts';
import { requireAllowedModel, type GetKey, requireBaseUrl } from './provider-model.ts';
import { providers } from './providers/index.ts';
import { providerError } from './streams/provider-error.ts';
import { createResponseRefusal, readResponseText } from './providers/small-answer.ts';
import { computeRequestCost } from './windows/prices.ts';
import { estimateTokens } from './windows/token-estimate.ts';

interface EmbeddingModel {
	readonly config: ProviderConfig;
	readonly modelId: string;
	readonly key: string | null;
	/** Headers that the user has set. */
	readonly headers: Readonly<Record<string, string>>;
}

interface Embedded {
	/** Vector of each text, in the order of the texts. */
	readonly vectors: number[][];
	/** Absent: the endpoint does not say. */
	readonly tokens?: number | undefined;
}

const Vector = z.array(z.number()).min(1).max(8_192);
const OpenAiAnswer = z.object({
	data: z.array(z.object({ index: z.int(), embedding: Vector })),
	usage: z.object({ prompt_tokens: z.int().nonnegative() }).optional().catch(undefined),
});
const GoogleAnswer = z.object({ embeddings: z.array(z.object({ values: Vector })) });

/** Rejects with NOT_AVAILABLE_HERE, and as every request to a provider. */
async function embedTexts(
	{ config, modelId, key, headers }: EmbeddingModel,
	texts: readonly string[],
	signal: AbortSignal,
): Promise<Embedded> {
	if (config.kind === 'anthropic') {
		throw new ProwessError('NOT_AVAILABLE_HERE', `provider "${config.id}" is anthropic, which has no embeddings`, {
			said: text('The provider "{provider}" has no embeddings: name a model of another one.', { provider: config.id }),
		});
	}
	const isGoogle = config.kind === 'google';
	const path = isGoogle ? `/models/${encodeURIComponent(modelId)}:batchEmbedContents` : '/embeddings';
	const requests = texts.map((each) => ({ model: `models/${modelId}`, content: { parts: [{ text: each }] } }));
	const body = isGoogle ? { requests } : { model: modelId, input: texts, encoding_format: 'float' };
	const limit = { what: `provider "${config.id}": embeddings`, timeoutMs: modelLimits.embedMs };
	const limited = deriveSignal(signal, limit);
	try {
		const response = await fetch(`${requireBaseUrl(config)}${path}`, {
			method: 'POST',
			headers: {
				...(key !== null && providers[config.kind].keyHeader(key)),
				...headers,
				'content-type': 'application/json',
			},
			body: JSON.stringify(body),
			redirect: 'manual',
			signal: limited.signal,
		});
		const answer = await readResponseText(response, modelLimits.maxEmbeddingBytes);
		if (!response.ok) {
			throw createResponseRefusal(response, answer, { provider: config.id, key, body: '' });
		}
		return requireEmbeddings(config, isGoogle ? ofGoogle(answer) : ofOpenAi(answer), texts.length);
	} finally {
		limited.dispose();
	}
}

function ofOpenAi(answer: string): Embedded | undefined {
	const { data } = OpenAiAnswer.safeParse(parseJsonOrUndefined(answer));
	return (
		data && {
			vectors: data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding),
			tokens: data.usage?.prompt_tokens,
		}
	);
}

function ofGoogle(answer: string): Embedded | undefined {
	const { data } = GoogleAnswer.safeParse(parseJsonOrUndefined(answer));
	return data && { vectors: data.embeddings.map(({ values }) => values) };
}

/** A place for each text, all in one space. */
function requireEmbeddings({ id }: ProviderConfig, answer: Embedded | undefined, count: number): Embedded {
	const [first] = answer?.vectors ?? [];
	const isWhole = answer?.vectors.length === count && answer.vectors.every(({ length }) => length === first?.length);
	if (answer === undefined || !isWhole) {
		const message = `provider "${id}" sent no embedding for each text; check that the model is one for embeddings`;
		throw providerError('PROVIDER_ERROR', message, { provider: id, retryable: false });
	}
	return answer;
}

interface MeteredEmbeddingDeps {
	readonly host: Peer;
	readonly settings: Settings;
	readonly getKey: GetKey;
}

/**
 * Requests embeddings that the host has granted and counts, as it does requests of turns. Rejects with MODEL_NOT_FOUND,
 * QUOTA_EXCEEDED and ACCESS_DENIED, and as `embedTexts`.
 */
export async function meteredEmbeddings(
	{ model, texts, threadId }: ParamsOf<typeof embeddingRequests.embed>,
	{ host, settings, getKey }: MeteredEmbeddingDeps,
	signal: AbortSignal,
): Promise<{ vectors: number[][] }> {
	const slash = model.indexOf('/');
	const [provider, modelId] = [model.slice(0, slash), model.slice(slash + 1)];
	const config = settings['prowess.providers'].find(({ id }) => id === provider);
	if (config === undefined || modelId === '') {
		throw new ProwessError('MODEL_NOT_FOUND', `model "${model}": no provider "${provider}" is connected`, {
			modelId: model,
		});
	}
	requireAllowedModel(config, modelId);
	const { invocation } = await host.call(usageRequests.begin, threadId === null ? {} : { threadId }, signal);
	const { headers = {}, price } = settings['prowess.models.settings'][model] ?? {};
	const key = await getKey(provider, signal);
	const { vectors, tokens } = await embedTexts({ config, modelId, key, headers }, texts, signal);
	const inputTokens = tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
	const usage = { inputTokens, outputTokens: 0 };
	const cost = price && {
		cost: computeRequestCost({ ...usage, cachedInputTokens: 0, estimated: tokens === undefined }, price),
	};
	host.notify(usageNotifications.used, { model, invocation, ...usage, ...cost });
	return { vectors };
}
