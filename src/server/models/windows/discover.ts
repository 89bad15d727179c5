/** Model servers on this machine. Looks at one well-known loopback address only; asked for by the user or by the tour. */
import type { ProviderConfig } from '../../../protocol/models.ts';
import { endpointModels } from './endpoint-models.ts';
import { limits } from '../limits.ts';

export interface FoundServer {
	readonly name: string;
	/** Of its OpenAI-compatible endpoint. */
	readonly baseUrl: string;
	readonly models: readonly string[];
}

const OLLAMA_BASE_URL = 'http://127.0.0.1:11434/v1';

/** Never rejects but with the signal's reason: nothing there is the usual answer. */
export async function discoverLocal(at: string | undefined, signal: AbortSignal): Promise<FoundServer[]> {
	const baseUrl = at ?? OLLAMA_BASE_URL;
	const config: ProviderConfig = { id: 'ollama', kind: 'openai-compatible', baseUrl, models: [] };
	try {
		const models = await endpointModels(config, null, limits.discoverMs, signal);
		return [{ name: 'Ollama', baseUrl, models: models.map(({ id }) => id) }];
	} catch {
		signal.throwIfAborted();
		// Nothing listens there, or something that is no model server.
		return [];
	}
}
