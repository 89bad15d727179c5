/** From what an endpoint did to the error we throw: which code, whether to try again, how long to wait. */
import { retryAfterMs } from '../../../base/time/retry-after.ts';
import { type ErrorCode, isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { modelLimits } from '../limits.ts';
import type { ProviderError, ProviderErrorFacts } from '../model-port.ts';

interface EndpointRefusal {
	readonly provider: string;
	/** Model that was asked; absent where none was. */
	readonly model?: string;
	readonly status: number;
	readonly message: string;
	/** The body as it came: some say only there what is wrong. */
	readonly body?: string;
	/** Lower-case names. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with an error status, or an error sent inside a stream that maps to one. */
export function refusalError(refusal: EndpointRefusal): ProviderError {
	const { provider, model, status, headers = {} } = refusal;
	const words = `${refusal.message} ${refusal.body ?? ''}`;
	const [code, retryable] = classifyRefusal(status, words);
	const wait = retryable ? (retryAfterMs(headers, Date.now()) ?? retryAfterInWords(words)) : undefined;
	const said = shortenProviderText(refusal.message);
	return providerError(code, `provider "${provider}" answered ${status}: ${said}`, {
		provider,
		status,
		said,
		retryable,
		...(code === 'MODEL_NOT_FOUND' && model !== undefined && { model }),
		...(wait !== undefined && { retryAfterMs: wait }),
	});
}

export function providerError(
	code: ErrorCode,
	message: string,
	facts: ProviderErrorFacts,
	cause?: unknown,
): ProviderError {
	return new ProwessError(code, message, { ...facts }, cause) as ProviderError;
}

export function isProviderError(error: unknown): error is ProviderError {
	return (
		isProwessError(error) &&
		typeof error.facts['provider'] === 'string' &&
		typeof error.facts['retryable'] === 'boolean'
	);
}

/** Words for a request that does not fit; its status is that of any bad request. */
const TOO_LONG =
	/context[ _-]?(length|window|size|limit)|maximum (context|prompt length)|(prompt|input|request) (is )?too (long|large)|too many (input )?tokens|input (token count|length)|model token limit|max_new_tokens. must be|length should be|reduce the length|exceeds? the (maximum|limit|available).{0,40}(tokens|context)/i;

/** Words for an account without money, whatever the status. Waiting does not fill it. */
const NO_CREDIT =
	/insufficient[ _](quota|balance|credits?|funds)|credit balance is too low|exceeded[ _](?:your[ _])?current[ _]quota|balance is (?:insufficient|not enough)|billing_(?:hard_limit|not_active)|requires more credits|(?:not|n['’]t) have (?:any|enough) credits|(?:no|out of|not enough) credits|payment required/i;

/** Words for a limit of a short time, which refills by itself: Google calls each of its limits a quota. */
const SHORT_LIMIT = /per[ _-]?(?:second|minute|hour)|\b[rt]p[ms]\b/i;

/** Words for a place from which the endpoint takes no requests; another key changes nothing. */
const NOT_FROM_HERE =
	/unsupported_country|(?:country|region|territory|location)[^.]{0,60}(?:not (?:supported|available|allowed)|unsupported|unavailable)|(?:not (?:supported|available)|unsupported)[^.]{0,60}(?:country|region|territory|location)/i;

/** Words of a model server that has the model and cannot run it. */
const CANNOT_LOAD =
	/(?:failed|unable|cannot|could not|error) (?:to )?load(?:ing)? (?:the )?model|model (?:has )?failed to load|insufficient (?:system )?(?:resources|memory)|not enough (?:memory|vram)|requires more system memory|out of memory|unable to allocate/i;

function classifyRefusal(status: number, words: string): readonly [ErrorCode, boolean] {
	const isShort = status === 429 && SHORT_LIMIT.test(words);
	if (status === 402 || ([400, 403, 429].includes(status) && NO_CREDIT.test(words) && !isShort)) {
		return ['PROVIDER_BILLING', false];
	}
	if ((status === 403 && NOT_FROM_HERE.test(words)) || (status < 600 && CANNOT_LOAD.test(words))) {
		return ['PROVIDER_ERROR', false];
	}
	switch (status) {
		case 401:
		case 403:
			return ['PROVIDER_AUTH', false];
		case 404:
			return ['MODEL_NOT_FOUND', false];
		case 413:
			return ['CONTEXT_OVERFLOW', false];
		case 408:
			return ['PROVIDER_OVERLOADED', true];
		case 429:
			// A single request that is larger than a whole minute's share never passes, so waiting does not help.
			return /request too large/i.test(words) ? ['CONTEXT_OVERFLOW', false] : ['PROVIDER_RATE_LIMITED', true];
	}
	if (status >= 500) {
		if (TOO_LONG.test(words)) {
			return ['CONTEXT_OVERFLOW', false];
		}
		return status === 501 || status === 505 ? ['PROVIDER_ERROR', false] : ['PROVIDER_OVERLOADED', true];
	}
	if (words.includes('API_KEY_INVALID')) {
		return ['PROVIDER_AUTH', false];
	}
	return [TOO_LONG.test(words) ? 'CONTEXT_OVERFLOW' : 'PROVIDER_ERROR', false];
}

/** Returns the message on one line, cut to `maxProviderMessage` characters; `no reason given` when it is empty. */
export function shortenProviderText(message: string): string {
	const line = message.replace(/\s+/g, ' ').trim();
	return line.length > modelLimits.maxProviderMessage
		? `${line.slice(0, modelLimits.maxProviderMessage)}…`
		: line || 'no reason given';
}

/** Words of a refusal that say how long to wait: "Please try again in 1m8.5s", `"retryDelay": "34.4s"`, "retry after 20 seconds". */
const WAIT =
	/(?:try again in|retry(?:ing)? (?:after|in)|"?retryDelay"?:\s*"?)\s*(?:(\d+)m(?!s))?\s*(?:(\d+(?:\.\d+)?)\s*(ms|milliseconds?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b)?/i;

/** In ms; undefined when they say nothing of it. */
function retryAfterInWords(words: string): number | undefined {
	const [, minutes, count, unit] = WAIT.exec(words) ?? [];
	if (minutes === undefined && count === undefined) {
		return undefined;
	}
	const inUnit =
		Number(count ?? 0) *
		(unit?.startsWith('ms') || unit?.startsWith('milli') ? 1 : unit?.startsWith('m') ? 60_000 : 1000);
	return Math.ceil(Number(minutes ?? 0) * 60_000 + inUnit);
}
