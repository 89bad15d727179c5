/**
 * Requests of a sign-in: to hosts that a server names, so each is held to the rules for hosts anew. Encrypted, without
 * redirects, bounded; a host of an inner network is asked only if the user's own settings list it.
 */
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { refuseInnerHost, resolveHost, type Resolve } from '../../../machine/http/resolve-host.ts';
import { isHere } from '../../../machine/http/server-here.ts';
import { streamedFetch } from '../../../machine/http/streamed-fetch.ts';
import { parseTargetUrl, type TargetUrl } from '../../../machine/http/target-url.ts';
import { SIGN_IN_BYTES, SIGN_IN_REQUEST_MS } from '../limits.ts';

export interface HostRules {
	readonly resolve: Resolve;
	/** `prowess.http.allowHosts`, as it is now. */
	allowedHosts(): readonly string[];
}

export function signInFetch(
	{ resolve, allowedHosts }: HostRules,
	closing: AbortSignal,
): ReturnType<typeof streamedFetch> {
	return async (input, { body, ...init } = {}) => {
		const target = checkedTarget(input instanceof Request ? input.url : String(input), allowedHosts());
		const limit = deriveSignal(closing, { what: `an answer of ${target.host}`, timeoutMs: SIGN_IN_REQUEST_MS });
		try {
			const send = streamedFetch({
				origin: target,
				headers: {},
				maxBytes: SIGN_IN_BYTES,
				addresses: (signal) => resolveHost(target, allowedHosts(), resolve, signal),
			});
			const written = body instanceof URLSearchParams ? { body: body.toString() } : { ...(body && { body }) };
			const response = await send(target.url, { ...init, ...written, signal: limit.signal });
			// Read here, while the limit holds.
			const text = await response.text();
			return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
		} finally {
			limit.dispose();
		}
	};
}

/** Throws INVALID_PARAMS or HOST_REFUSED for an address that is not asked, and for a page that is not opened. */
export function checkedTarget(address: string, allowed: readonly string[]): TargetUrl {
	const target = parseTargetUrl(address);
	refuseInnerHost(target, allowed);
	if (!target.isSecure && !isHere(target)) {
		const message = `${target.host} is not asked to sign you in, because it would be without encryption`;
		throw new ProwessError('HOST_REFUSED', message, { host: target.host });
	}
	return target;
}
