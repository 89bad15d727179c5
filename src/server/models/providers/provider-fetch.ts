/**
 * The one way out to a provider. Follows no redirect (it would carry key and code to an address the user has not named)
 * and takes a web page for what it is: something between us and the endpoint.
 */
import { providerError, shortened } from '../provider-error.ts';
import { tidiedStream } from './tidied-stream.ts';
import type { StreamWatch } from '../stream-watch.ts';

export function providerFetch(providerId: string, watch: StreamWatch): typeof fetch {
	return async (input, init) => {
		const response = await fetch(input, { ...init, redirect: 'manual' });
		if (response.status >= 300 && response.status < 400) {
			void response.body?.cancel();
			throw providerError(
				'PROVIDER_ERROR',
				`provider "${providerId}" redirects to ${shortened(response.headers.get('location') ?? 'nowhere')}; redirects are not followed, set its baseUrl to the new address`,
				{ provider: providerId, status: response.status, retryable: false },
			);
		}
		if (!response.ok || response.body === null) {
			return response;
		}
		const type = response.headers.get('content-type') ?? '';
		if (type.startsWith('text/html')) {
			void response.body.cancel();
			throw providerError(
				'STREAM_MALFORMED',
				`provider "${providerId}" answered with a web page instead of a stream; check its baseUrl, and whether a proxy or a login page stands in between`,
				{ provider: providerId, status: response.status, retryable: false },
			);
		}
		const body = watch.observed(response.body);
		return new Response(type.startsWith('text/event-stream') ? tidiedStream(body) : body, response);
	};
}
