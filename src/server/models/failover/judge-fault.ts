/** What a failed request means for who is asked next. */
import { isProwessError } from '../../../protocol/errors.ts';
import { limits } from '../limits.ts';
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

/** Whether another provider may do better with the same request. */
export function isOfProvider(error: unknown): boolean {
	if (!isProwessError(error)) {
		return false;
	}
	const { status } = error.facts;
	return OF_PROVIDER.has(error.code) || (error.code === 'PROVIDER_ERROR' && isNoInterface(status));
}

/** It sends us elsewhere, where no request follows, does not have what was asked at all, or a proxy stands before it. */
function isNoInterface(status: unknown): boolean {
	return (
		typeof status === 'number' &&
		((status >= 300 && status < 400) || status === 405 || status === 407 || status === 501)
	);
}

interface Failed {
	/** Counts from 1. */
	readonly retry: number;
	/** A part of the answer has been shown, so a second one would contradict it. */
	readonly hasOutput: boolean;
	/** By which a wait of our own choosing is longer or shorter; 1 if absent. Nobody is asked sooner than it wants to be. */
	readonly stretch?: number;
}

export function judgeFault(error: unknown, { retry, hasOutput, stretch = 1 }: Failed): FaultVerdict {
	if (hasOutput || !isProwessError(error)) {
		return { kind: 'fatal' };
	}
	const isRetryable = isProviderError(error) && error.facts.retryable;
	if (!isRetryable) {
		return isOfProvider(error) ? { kind: 'next' } : { kind: 'fatal' };
	}
	const asked = error.facts.retryAfterMs ?? 0;
	if (asked > limits.maxRetryAfterMs) {
		return { kind: 'next' };
	}
	const waitMs = Math.max(Math.round(limits.retryBaseMs * 2 ** (retry - 1) * stretch), asked);
	// Who said nothing for a whole minute will hardly do better in a second.
	return error.facts.stalled === true ? { kind: 'next', waitMs } : { kind: 'again', waitMs };
}
