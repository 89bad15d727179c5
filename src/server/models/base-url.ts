/**
 * Where requests and keys may go. Base URLs come from application-scoped settings only (a workspace cannot set them);
 * even so, plain http is for this machine alone: anywhere else it would show key and code to the network.
 */
import { ProwessError } from '../../protocol/errors.ts';

export function isLoopback(url: string): boolean {
	const host = new URL(url).hostname;
	return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The URL without a slash at its end; throws INVALID_PARAMS for one that is not to be used. */
export function checkedBaseUrl(provider: string, baseUrl: string): string {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		throw invalid(provider, baseUrl, 'expected an http or https URL');
	}
	if (url.username !== '' || url.password !== '') {
		throw invalid(
			provider,
			`${url.protocol}//…@${url.host}`,
			'a key belongs into the secret store, not into the address',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw invalid(provider, baseUrl, 'expected no query and no fragment');
	}
	if (url.protocol === 'http:' && !isLoopback(baseUrl)) {
		throw invalid(provider, baseUrl, 'http is allowed for this machine only (localhost, 127.0.0.1, [::1]); use https');
	}
	return url.href.replace(/\/+$/, '');
}

function invalid(provider: string, baseUrl: string, problem: string): ProwessError {
	return new ProwessError('INVALID_PARAMS', `provider "${provider}": baseUrl "${baseUrl}": ${problem}`, { provider });
}
