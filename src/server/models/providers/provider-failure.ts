/** Turns failures between us and an endpoint into errors of ours that carry neither the request nor the key. */
import type { IncomingMessage } from 'node:http';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { modelLimits } from '../limits.ts';
import type { ProviderError } from '../model-port.ts';
import { providerError, refusalError, shortenProviderText } from '../streams/provider-error.ts';
import { ArgumentsTooLong } from './answer-parts.ts';
import { NoJson } from './event-stream.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';
import { hasRefusalWords, isPage, refusalWords, statusInWords } from './refusal-words.ts';
import type { Endpoint } from './vendor.ts';

/** An answer with a status that says no. */
export function refusedError(
	endpoint: Endpoint,
	{ statusCode = 0, statusMessage = '', headers }: IncomingMessage,
	body: string,
): ProviderError {
	if (isPage(body) && !PAGES_THAT_COUNT.has(statusCode) && statusCode < 500) {
		return pageError(endpoint, statusCode, refusalWords(body));
	}
	const known = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
	return refusalError({
		provider: endpoint.providerId,
		model: endpoint.modelId,
		status: statusCode,
		message: withoutKey(refusalWords(body) ?? statusMessage, endpoint),
		body: body.slice(0, modelLimits.maxRefusalChars),
		headers: Object.fromEntries(known),
	});
}

/**
 * Statuses whose meaning holds even when the body is a web page, whoever wrote it: a key or a sign-in is missing, too
 * much or too often was sent, or this address takes no requests.
 */
const PAGES_THAT_COUNT: ReadonlySet<number> = new Set([401, 402, 405, 407, 408, 413, 429]);

/** A web page in the place of an answer: of whatever stands between us and the endpoint. */
export function pageError({ providerId: provider }: Endpoint, status: number, page = 'a web page'): ProviderError {
	const message = `provider "${provider}" answered with ${page} instead of a stream; check its baseUrl, and whether a proxy or a login page stands in between`;
	return providerError('STREAM_MALFORMED', message, { provider, status, said: page, retryable: false });
}

/** Throws what went wrong when an event says so. */
export function refuseErrorEvent(endpoint: Endpoint, event: JsonObject): void {
	const error = eventError(endpoint, event);
	if (error !== undefined) {
		throw error;
	}
}

/** An event that says what went wrong: `{error: {…}}`, `{error: "…"}`, `{type: "error", message}`; undefined for any other. */
function eventError(endpoint: Endpoint, event: JsonObject): ProviderError | undefined {
	const error = event['error'] ?? objectOrEmpty(event['response'])['error'];
	if (error !== undefined && error !== null) {
		return saidError(endpoint, event, typeof error === 'object' ? objectOrEmpty(error) : event);
	}
	return event['type'] === 'error' || event['object'] === 'error' ? saidError(endpoint, event, event) : undefined;
}

/** A whole body that is no answer and has a sentence where endpoints have that of a refusal; undefined for any other. */
export function bodyError(endpoint: Endpoint, body: JsonObject): ProviderError | undefined {
	return hasRefusalWords(body) ? saidError(endpoint, body, body) : undefined;
}

function saidError(endpoint: Endpoint, event: JsonObject, said: JsonObject): ProviderError {
	const { statusCode, status_code: statusNumber, code, status, type } = said;
	const number = [statusCode, statusNumber, code, status].map(Number).find((value) => value >= 400 && value < 600);
	const body = JSON.stringify(event);
	const words = refusalWords(body) ?? body;
	return refusalError({
		provider: endpoint.providerId,
		model: endpoint.modelId,
		status: number ?? statusInWords([type, code, status, words].map(String).join(' ')),
		message: withoutKey(words, endpoint),
		body: body.slice(0, modelLimits.maxRefusalChars),
	});
}

/** The endpoint closed the stream before it had said that the answer is whole. */
export function cutError(endpoint: Endpoint, cause?: unknown): ProviderError {
	const { providerId: provider, modelId } = endpoint;
	const message = `provider "${provider}" ended the answer of "${modelId}" before it was complete`;
	return providerError('STREAM_CUT', message, { provider, retryable: true }, cause);
}

/** No answer, because nobody was reached. */
export function unreachableError(endpoint: Endpoint, error: Error): ProviderError {
	const { providerId: provider, baseUrl } = endpoint;
	const cause = networkCause(error);
	const message = `provider "${provider}" cannot be reached at ${new URL(baseUrl).origin}: ${shortenProviderText(cause.message)}`;
	const retryable = !NEVER_WORKS.test((cause as NodeJS.ErrnoException).code ?? '');
	return providerError('PROVIDER_UNREACHABLE', message, { provider, retryable }, cause);
}

/** Whatever was thrown while an answer was read. */
export function streamError(error: unknown, endpoint: Endpoint): ProviderError {
	if (isProwessError(error)) {
		return error as ProviderError;
	}
	const { providerId: provider } = endpoint;
	if (error instanceof ArgumentsTooLong) {
		const limit = modelLimits.maxArgumentChars;
		const message = `"${endpoint.modelId}" wrote calls with more than ${limit} characters of arguments in one answer`;
		return providerError('ARGUMENTS_TOO_LONG', message, { provider, limit, retryable: false });
	}
	if (error instanceof NoJson) {
		const problem = shortenProviderText(withoutKey(error.message, endpoint));
		const message = `provider "${provider}" sent something that is no answer: ${problem}`;
		return providerError('STREAM_MALFORMED', message, { provider, retryable: false });
	}
	return cutError(endpoint, error);
}

/** A name that does not exist, a certificate that is not believed, a server that does not speak TLS: the same the next time. */
const NEVER_WORKS = /^(?:ENOTFOUND|EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/;

/** The system's words (ECONNREFUSED, a name that does not resolve), below what libraries put around them. */
function networkCause(error: Error): Error {
	let at = error;
	while (at.cause instanceof Error) {
		at = at.cause;
	}
	const inner = at instanceof AggregateError ? (at.errors[0] as unknown) : at;
	return inner instanceof Error ? inner : at;
}

/** Some endpoints repeat the key they refuse. */
function withoutKey(message: string, { key }: Endpoint): string {
	return key === null || key === '' ? message : message.replaceAll(key, '[key]');
}

/** Passes the events of one answer: hands the first to the endpoint, and throws what an event says went wrong. */
export class EventGate {
	readonly #endpoint: Endpoint;
	#hasBegun = false;

	constructor(endpoint: Endpoint) {
		this.#endpoint = endpoint;
	}

	passEvent(event: JsonObject): void {
		refuseErrorEvent(this.#endpoint, event);
		if (!this.#hasBegun) {
			this.#hasBegun = true;
			this.#endpoint.onFirstEvent?.(event);
		}
	}
}
