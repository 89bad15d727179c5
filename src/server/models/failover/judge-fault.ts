/** Judges by a failed request who is asked next. */
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { modelLimits } from '../limits.ts';
import { isProviderError } from '../streams/provider-error.ts';

type FaultVerdict =
	/** The same provider may be asked again after this wait. */
	| { readonly kind: 'again'; readonly waitMs: number }
	/** This provider cannot answer now, another one may; `waitMs`: should there be no other, it may be asked again. */
	| { readonly kind: 'next'; readonly waitMs?: number }
	/** The request itself is at fault, or something of it has been shown: nobody else is asked. */
	| { readonly kind: 'fatal' };

/** The provider's own faults, which another provider does not have. */
const OF_PROVIDER: ReadonlySet<string> = new Set([
	'PROVIDER_AUTH',
	'PROVIDER_BILLING',
	'PROVIDER_UNREACHABLE',
	'PROVIDER_RATE_LIMITED',
	'PROVIDER_OVERLOADED',
	'MODEL_NOT_FOUND',
	'KEY_MISSING',
	// A web page, or bytes that are no answer: something stands between us and the endpoint, or it is none.
	'STREAM_MALFORMED',
]);

/** Returns true when another provider may do better with the same request. */
export function isOfProvider(error: unknown): boolean {
	if (!isProwessError(error)) {
		return false;
	}
	const { status } = error.facts;
	return OF_PROVIDER.has(error.code) || (error.code === 'PROVIDER_ERROR' && isNoInterface(status));
}

/**
 * Returns true for a status of an endpoint that redirects (we follow no redirects), does not have the requested
 * interface (405, 501), or stands behind a proxy (407).
 */
function isNoInterface(status: unknown): boolean {
	return (
		typeof status === 'number' &&
		((status >= 300 && status < 400) || status === 405 || status === 407 || status === 501)
	);
}

interface FaultCircumstances {
	/** Counts from 1. */
	readonly retry: number;
	/** A part of the answer has been shown, so a second one would contradict it. */
	readonly hasOutput: boolean;
	/** Factor on a wait that we choose ourselves. Default: 1. Never shortens the wait that the provider asks for. */
	readonly stretch?: number;
}

export function judgeFault(error: unknown, { retry, hasOutput, stretch = 1 }: FaultCircumstances): FaultVerdict {
	if (hasOutput || !isProwessError(error)) {
		return { kind: 'fatal' };
	}
	const isRetryable = isProviderError(error) && error.facts.retryable;
	if (!isRetryable) {
		return isOfProvider(error) ? { kind: 'next' } : { kind: 'fatal' };
	}
	const asked = error.facts.retryAfterMs ?? 0;
	if (asked > modelLimits.maxRetryAfterMs) {
		return { kind: 'next' };
	}
	const waitMs = Math.max(Math.round(modelLimits.retryBaseMs * 2 ** (retry - 1) * stretch), asked);
	// A provider that said nothing for a whole minute will hardly do better in a second.
	return error.facts.stalled === true ? { kind: 'next', waitMs } : { kind: 'again', waitMs };
}
