/** The address of a provider, as requests use it. Which ones are taken is said in `protocol/base-url.ts`. */
import { baseUrlFault, type BaseUrlFault } from '../../protocol/base-url.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { text } from '../../protocol/text/text.ts';

const PROBLEMS: { readonly [F in BaseUrlFault]: string } = {
	form: 'expected an http or https URL',
	credentials: 'a key belongs into the secret store, not into the address',
	query: 'expected no query and no fragment',
	plain: 'http is allowed for this machine and private networks only (localhost, 192.168.…, *.local); use https',
};

/** The URL without a slash at its end; throws INVALID_PARAMS for one that is not to be used. */
export function checkedBaseUrl(provider: string, baseUrl: string): string {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	const fault = baseUrlFault(url);
	if (fault === undefined && url !== undefined) {
		return url.href.replace(/\/+$/, '');
	}
	const shown = fault === 'credentials' && url !== undefined ? `${url.protocol}//…@${url.host}` : baseUrl;
	throw new ProwessError('INVALID_PARAMS', `provider "${provider}": baseUrl "${shown}": ${PROBLEMS[fault ?? 'form']}`, {
		provider,
		said: text('The base URL of the provider "{provider}" cannot be used: {url}', { provider, url: shown }),
	});
}
