/** Model servers on this machine. Looks at their well-known loopback addresses only; asked for by the user or by the tour. */
import type { ProviderConfig } from '../../../protocol/turn/models.ts';
import { endpointModels } from './endpoint-models.ts';
import { modelLimits } from '../limits.ts';

export interface LocalPlace {
	readonly name: string;
	/** Address of the OpenAI-compatible endpoint. */
	readonly baseUrl: string;
}

export interface FoundServer extends LocalPlace {
	readonly models: readonly string[];
}

export const LOCAL_PLACES: readonly LocalPlace[] = [
	{ name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
	{ name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
];

/** Never rejects but with the signal's reason: nothing there is the usual answer. */
export async function discoverLocal(places: readonly LocalPlace[], signal: AbortSignal): Promise<FoundServer[]> {
	const found = await Promise.all(places.map((place) => probeLocalServer(place, signal)));
	return found.flat();
}

async function probeLocalServer({ name, baseUrl }: LocalPlace, signal: AbortSignal): Promise<FoundServer[]> {
	const config: ProviderConfig = { id: 'local', kind: 'openai-compatible', baseUrl, models: [] };
	try {
		const models = await endpointModels(config, null, modelLimits.discoverMs, signal);
		return [{ name, baseUrl, models: models.map(({ id }) => id) }];
	} catch {
		signal.throwIfAborted();
		// No server listens there, or a server that is no model server.
		return [];
	}
}
