/** Embeddings that the host has granted and counts, as requests of turns. */
import { ProwessError } from '../../protocol/errors.ts';
import type { embeddingRequests } from '../../protocol/models.ts';
import type { ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { usageNotifications, usageRequests } from '../../protocol/usage.ts';
import { embedTexts } from './embeddings.ts';
import type { GetKey } from './provider-model.ts';
import { computeRequestCost } from './windows/prices.ts';
import { estimateTokens } from './windows/token-estimate.ts';

interface MeteredEmbeddingDeps {
	readonly host: Peer;
	readonly settings: Settings;
	readonly getKey: GetKey;
}

/** Rejects with MODEL_NOT_FOUND, QUOTA_EXCEEDED and ACCESS_DENIED, and as `embedTexts`. */
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
