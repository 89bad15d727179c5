/** The models of each provider: those the user named, else what the endpoint lists, kept for a short while. */
import { findNearNames } from '../../../base/text/near-names.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { ProviderConfig } from '../../../protocol/turn/models.ts';
import { type EndpointModel, endpointModels } from './endpoint-models.ts';
import { modelLimits } from '../limits.ts';
import { type GetKey, usableKey } from '../provider-model.ts';

interface ModelLists {
	of(config: ProviderConfig, signal: AbortSignal): Promise<readonly EndpointModel[]>;
	/** From the last list of this provider; asks nobody. */
	known(config: ProviderConfig, modelId: string): EndpointModel | undefined;
	forget(): void;
}

export function createModelLists(getKey: GetKey, now: () => number = () => performance.now()): ModelLists {
	const kept = new Map<string, { readonly models: readonly EndpointModel[]; readonly at: number }>();
	const createListKey = ({ id, kind, baseUrl }: ProviderConfig) => `${id} ${kind} ${baseUrl ?? ''}`;
	return {
		async of(config, signal) {
			if (config.models.length > 0) {
				return config.models.map((id) => ({ id, name: id }));
			}
			const last = kept.get(createListKey(config));
			if (last !== undefined && now() - last.at < modelLimits.modelListAgeMs) {
				return last.models;
			}
			const key = usableKey(config, await getKey(config.id, signal));
			const models = await endpointModels(config, key, modelLimits.listModelsMs, signal);
			kept.set(createListKey(config), { models, at: now() });
			return models;
		},
		known: (config, modelId) => kept.get(createListKey(config))?.models.find(({ id }) => id === modelId),
		forget: () => kept.clear(),
	};
}

const MOST_NAMED = 5;

interface Missing {
	readonly config: ProviderConfig;
	readonly modelId: string;
	readonly lists: ModelLists;
}

/**
 * Adds to an error about an unknown model the names that the endpoint lists. Any other error comes back as it is, and so
 * does this one where there is no list.
 */
export async function namingOthers(
	error: unknown,
	{ config, modelId, lists }: Missing,
	signal: AbortSignal,
): Promise<unknown> {
	if (!isProwessError(error) || error.code !== 'MODEL_NOT_FOUND') {
		return error;
	}
	const limit = deriveSignal(signal, { what: 'listing models', timeoutMs: modelLimits.listForErrorMs });
	try {
		const names = (await lists.of({ ...config, models: [] }, limit.signal)).map(({ id }) => id);
		if (names.length === 0 || names.includes(modelId)) {
			return error;
		}
		const near = findNearNames(modelId, names);
		const quoteNames = (known: readonly string[]) => known.map((name) => `"${name}"`).join(', ');
		const what =
			near.length > 0 ? `did you mean ${quoteNames(near)}?` : `it lists ${quoteNames(names.slice(0, MOST_NAMED))}`;
		const said = error.facts['said'];
		const facts = typeof said === 'string' ? { ...error.facts, said: `${said}; ${what}` } : error.facts;
		return new ProwessError(error.code, `${error.message}; ${what}`, facts, error);
	} catch {
		return error;
	} finally {
		limit.dispose();
	}
}
