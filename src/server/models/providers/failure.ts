/** What the AI SDK throws or streams as an error, as an error of ours. Never the SDK's own: it carries the whole request. */
import {
	APICallError,
	EmptyResponseBodyError,
	InvalidResponseDataError,
	NoContentGeneratedError,
} from '@ai-sdk/provider';
import { isProwessError } from '../../../protocol/errors.ts';
import type { ProviderError } from '../model-port.ts';
import { providerError, refusalError, shortened } from '../provider-error.ts';
import type { Endpoint } from './vendor.ts';

/** `hasBegun`: a part of the answer has been given on already. */
export function toProviderError(error: unknown, endpoint: Endpoint, hasBegun: boolean): ProviderError {
	const provider = endpoint.providerId;
	const ours = oursWithin(error);
	if (ours !== undefined) {
		return ours;
	}
	if (APICallError.isInstance(error)) {
		if (error.statusCode !== undefined && (error.statusCode < 200 || error.statusCode >= 300)) {
			return refusalError({
				provider,
				status: error.statusCode,
				message: withoutKey(error.message, endpoint),
				body: (error.responseBody ?? '').slice(0, 4000),
				headers: error.responseHeaders ?? {},
			});
		}
		return connectionError(error, endpoint, hasBegun || error.statusCode !== undefined);
	}
	if (EmptyResponseBodyError.isInstance(error) || NoContentGeneratedError.isInstance(error)) {
		return cutError(endpoint);
	}
	if (InvalidResponseDataError.isInstance(error)) {
		return error.data === undefined ? cutError(endpoint) : malformedError(error, endpoint);
	}
	return streamedError(error, endpoint) ?? malformedError(error, endpoint);
}

/** The endpoint closed the stream before it had said that the answer is whole. */
export function cutError(endpoint: Endpoint, cause?: unknown): ProviderError {
	const { providerId: provider, modelId } = endpoint;
	const message = `provider "${provider}" ended the answer of "${modelId}" before it was complete`;
	return providerError('STREAM_CUT', message, { provider, retryable: true }, cause);
}

/** Our own refusals (a redirect, a web page) come back wrapped. */
function oursWithin(error: unknown): ProviderError | undefined {
	for (let at = error; at instanceof Error; at = at.cause) {
		if (isProwessError(at)) {
			return at as ProviderError;
		}
	}
	return undefined;
}

function connectionError(error: Error, endpoint: Endpoint, hasBegun: boolean): ProviderError {
	const { providerId: provider, baseUrl } = endpoint;
	const cause = networkCause(error);
	if (hasBegun) {
		return cutError(endpoint, cause);
	}
	const message = `provider "${provider}" cannot be reached at ${new URL(baseUrl).origin}: ${shortened(cause.message)}`;
	return providerError('PROVIDER_UNREACHABLE', message, { provider, retryable: true }, cause);
}

/** The system's words (ECONNREFUSED, a name that does not resolve), below what libraries put around them. */
function networkCause(error: Error): Error {
	let at = error;
	while (at.cause instanceof Error) {
		at = at.cause;
	}
	const inner = at instanceof AggregateError ? (at.errors[0] as unknown) : at;
	return inner instanceof Error ? inner : at;
}

/** An error event inside the stream; its shape is the vendor's. */
function streamedError(error: unknown, endpoint: Endpoint): ProviderError | undefined {
	if (typeof error !== 'object' || error === null || error instanceof Error) {
		return typeof error === 'string' ? refusalOf(endpoint, 500, error, error) : undefined;
	}
	const body = JSON.stringify(error);
	const { message, statusCode, code, status, type } = deepest(error as Record<string, unknown>);
	const number = [statusCode, code, status].find((value) => typeof value === 'number' && value >= 400 && value < 600);
	const words = typeof message === 'string' ? message : body;
	const named = [type, code, status].map(String).join(' ');
	return refusalOf(endpoint, typeof number === 'number' ? number : statusByName(named), words, body);
}

function refusalOf(endpoint: Endpoint, status: number, message: string, body: string): ProviderError {
	return refusalError({
		provider: endpoint.providerId,
		status,
		message: withoutKey(message, endpoint),
		body: body.slice(0, 4000),
	});
}

/** `{error: {…}}` and `{response: {error: {…}}}` say it inside. */
function deepest(error: Record<string, unknown>): Record<string, unknown> {
	const inner = error['error'] ?? error['response'];
	return typeof inner === 'object' && inner !== null ? deepest(inner as Record<string, unknown>) : error;
}

function statusByName(name: string): number {
	if (/overloaded|unavailable|server_is_busy/i.test(name)) {
		return 529;
	}
	if (/rate_?limit|too_many|resource_exhausted/i.test(name)) {
		return 429;
	}
	if (/auth|permission/i.test(name)) {
		return 401;
	}
	return /invalid|bad_request|context|not_found/i.test(name) ? 400 : 500;
}

function malformedError(error: unknown, endpoint: Endpoint): ProviderError {
	const { providerId: provider } = endpoint;
	const problem = withoutKey(error instanceof Error ? error.message : String(error), endpoint);
	const message = `provider "${provider}" sent something that is no answer: ${shortened(problem)}`;
	return providerError('STREAM_MALFORMED', message, { provider, retryable: false });
}

/** Some endpoints repeat the key they refuse. */
function withoutKey(message: string, { key }: Endpoint): string {
	return key === null || key === '' ? message : message.replaceAll(key, '[key]');
}
