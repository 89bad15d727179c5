/** The address of a provider, as requests use it. Which ones are taken is said in `protocol/base-url.ts`. */
import { baseUrlFault, type BaseUrlFault } from '../../protocol/base-url.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../protocol/text/text.ts';

/** The URL without a slash at its end; throws INVALID_PARAMS for one that is not to be used. */
export function checkedBaseUrl(provider: string, baseUrl: string): string {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	const fault = baseUrlFault(url);
	if (fault === undefined && url !== undefined) {
		return url.href.replace(/\/+$/, '');
	}
	const shown = fault === 'credentials' && url !== undefined ? `${url.protocol}//…@${url.host}` : baseUrl;
	const said = faultIn(fault ?? 'form', { provider, url: shown });
	throw new ProwessError('INVALID_PARAMS', `provider "${provider}": ${inEnglish(said)}`, { provider, said });
}

function faultIn(fault: BaseUrlFault, names: { readonly provider: string; readonly url: string }): Text {
	switch (fault) {
		case 'form':
			return text('The base URL of "{provider}" cannot be used: {url}. Expected an http or https URL.', names);
		case 'credentials':
			return text(
				'The base URL of "{provider}" cannot be used: {url}. A key belongs in the secret store, not in the address.',
				names,
			);
		case 'query':
			return text('The base URL of "{provider}" cannot be used: {url}. Expected no query and no fragment.', names);
		case 'plain':
			return text(
				'The base URL of "{provider}" cannot be used: {url}. http is allowed for this machine and private networks only (localhost, 192.168.…, *.local); use https.',
				names,
			);
	}
}
