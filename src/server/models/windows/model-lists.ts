/** The models of each provider: those the user named, else what the endpoint lists, kept for a short while. */
import type { ProviderConfig } from '../../../protocol/models.ts';
import { type EndpointModel, endpointModels } from './endpoint-models.ts';
import { modelLimits } from '../limits.ts';
import { type GetKey, usableKey } from '../provider-model.ts';

export interface ModelLists {
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
