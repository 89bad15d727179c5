/**
 * Asks a model server how much context it has given a model. The question goes to the server's own interface, which
 * lies beside the one of OpenAI.
 */
import { textOrEmpty } from '../../../base/text/lenient.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { modelLimits } from '../limits.ts';
import { parseEventJson } from '../providers/event-stream.ts';
import { type JsonObject, listOrEmpty, objectOrEmpty } from '../providers/loose-json.ts';
import { readResponseText } from '../providers/small-answer.ts';
import type { ModelServerProgram } from './server-program.ts';

export interface AskedServer {
	/** Address of the server's OpenAI-compatible interface. */
	readonly baseUrl: string;
	readonly modelId: string;
	/** Headers that carry the key, when the server wants one. */
	readonly headers: Readonly<Record<string, string>>;
}

export interface Window {
	/** Window with which the model runs at present. */
	readonly tokens: number;
	/** Window that the model was made for, if the server says so. */
	readonly most?: number | undefined;
}

/** Undefined: it does not say. Rejects when it cannot be asked, or with the signal's reason. */
export async function askWindow(
	program: ModelServerProgram,
	server: AskedServer,
	signal: AbortSignal,
): Promise<Window | undefined> {
	const limited = deriveSignal(signal, {
		what: `context window of "${server.modelId}"`,
		timeoutMs: modelLimits.askWindowMs,
	});
	try {
		return await ways[program](server, limited.signal);
	} finally {
		limited.dispose();
	}
}

const ways: Readonly<
	Record<ModelServerProgram, (server: AskedServer, signal: AbortSignal) => Promise<Window | undefined>>
> = {
	async ollama(server, signal) {
		const [running, shown] = await Promise.all([
			fetchServerJson(server, '/api/ps', undefined, signal),
			fetchServerJson(server, '/api/show', { model: server.modelId }, signal),
		]);
		const loaded = pickNamedModel(listOrEmpty(running['models']), 'model', [
			server.modelId,
			`${server.modelId}:latest`,
		]);
		// Older ones do not tell what they run with: the Modelfile may.
		const written = /^num_ctx\s+(\d+)\s*$/m.exec(textOrEmpty(shown['parameters']))?.[1];
		const tokens = toWindowTokens(loaded['context_length']) ?? toWindowTokens(Number(written));
		const info = objectOrEmpty(shown['model_info']);
		const most = toWindowTokens(info[`${textOrEmpty(info['general.architecture'])}.context_length`]);
		return tokens === undefined ? undefined : { tokens, most };
	},
	async lmStudio(server, signal) {
		const list = listOrEmpty((await fetchServerJson(server, '/api/v0/models', undefined, signal))['data']);
		const model = pickNamedModel(list, 'id', [server.modelId]);
		const tokens = toWindowTokens(model['loaded_context_length']);
		return tokens === undefined ? undefined : { tokens, most: toWindowTokens(model['max_context_length']) };
	},
	async llamaCpp(server, signal) {
		const properties = await fetchServerJson(server, '/props', undefined, signal);
		const tokens = toWindowTokens(objectOrEmpty(properties['default_generation_settings'])['n_ctx']);
		return tokens === undefined ? undefined : { tokens };
	},
};

function pickNamedModel(models: readonly unknown[], key: string, names: readonly string[]): JsonObject {
	return models.map(objectOrEmpty).find((model) => names.includes(textOrEmpty(model[key]))) ?? {};
}

async function fetchServerJson(
	{ baseUrl, headers }: AskedServer,
	path: string,
	body: JsonObject | undefined,
	signal: AbortSignal,
): Promise<JsonObject> {
	const response = await fetch(`${baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}${path}`, {
		...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
		redirect: 'manual',
		signal,
	});
	const text = await readResponseText(response, modelLimits.maxListBytes);
	if (!response.ok) {
		throw new Error(`${path} answered with ${response.status}`);
	}
	return objectOrEmpty(parseEventJson(text));
}

function toWindowTokens(value: unknown): number | undefined {
	const isCount = typeof value === 'number' && Number.isInteger(value);
	return isCount && value >= modelLimits.leastWindow && value <= modelLimits.maxTokens ? value : undefined;
}
