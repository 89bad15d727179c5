/**
 * Asks a model server how much context it has given a model. The question goes to the server's own interface, which
 * lies beside the one of OpenAI.
 */
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { limits } from '../limits.ts';
import { parsed } from '../providers/event-stream.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../providers/loose-json.ts';
import { readText } from '../streams/read-text.ts';
import type { ServerProgram } from './server-program.ts';

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
	program: ServerProgram,
	server: AskedServer,
	signal: AbortSignal,
): Promise<Window | undefined> {
	const limited = deriveSignal(signal, {
		what: `context window of "${server.modelId}"`,
		timeoutMs: limits.askWindowMs,
	});
	try {
		return await ways[program](server, limited.signal);
	} finally {
		limited.dispose();
	}
}

const ways: Readonly<Record<ServerProgram, (server: AskedServer, signal: AbortSignal) => Promise<Window | undefined>>> =
	{
		async ollama(server, signal) {
			const [running, shown] = await Promise.all([
				answerOf(server, '/api/ps', undefined, signal),
				answerOf(server, '/api/show', { model: server.modelId }, signal),
			]);
			const loaded = named(listOf(running['models']), 'model', [server.modelId, `${server.modelId}:latest`]);
			// Older ones do not tell what they run with: the Modelfile may.
			const written = /^num_ctx\s+(\d+)\s*$/m.exec(textOf(shown['parameters']))?.[1];
			const tokens = tokenCount(loaded['context_length']) ?? tokenCount(Number(written));
			const info = objectOf(shown['model_info']);
			const most = tokenCount(info[`${textOf(info['general.architecture'])}.context_length`]);
			return tokens === undefined ? undefined : { tokens, most };
		},
		async lmStudio(server, signal) {
			const list = listOf((await answerOf(server, '/api/v0/models', undefined, signal))['data']);
			const model = named(list, 'id', [server.modelId]);
			const tokens = tokenCount(model['loaded_context_length']);
			return tokens === undefined ? undefined : { tokens, most: tokenCount(model['max_context_length']) };
		},
		async llamaCpp(server, signal) {
			const properties = await answerOf(server, '/props', undefined, signal);
			const tokens = tokenCount(objectOf(properties['default_generation_settings'])['n_ctx']);
			return tokens === undefined ? undefined : { tokens };
		},
	};

function named(models: readonly unknown[], key: string, names: readonly string[]): JsonObject {
	return models.map(objectOf).find((model) => names.includes(textOf(model[key]))) ?? {};
}

async function answerOf(
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
	const text = await readText(response, limits.maxListBytes);
	if (!response.ok) {
		throw new Error(`${path} answered with ${response.status}`);
	}
	return objectOf(parsed(text));
}

function tokenCount(value: unknown): number | undefined {
	const isCount = typeof value === 'number' && Number.isInteger(value);
	return isCount && value >= limits.leastWindow && value <= limits.maxTokens ? value : undefined;
}
