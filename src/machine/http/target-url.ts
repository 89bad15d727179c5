/**
 * Address of a request, parsed once. An address that a resolver, a proxy or a person could read as another host than
 * the one judged is refused: names must be plain ASCII as sent over the wire, numbers must be in their usual form.
 */
import { isIP, isIPv6 } from 'node:net';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

export interface TargetUrl {
	readonly url: URL;
	/** Without brackets and port. */
	readonly hostname: string;
	readonly port: number;
	/** Host as rules write it: with the port unless it is the usual port of the scheme. */
	readonly host: string;
	readonly isSecure: boolean;
}

export function parseTargetUrl(text: string): TargetUrl {
	if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/u.test(text)) {
		throw invalidUrlError(text, 'it holds a blank, a control character or a backslash');
	}
	const authority = /^https?:\/\/(?<authority>[^/?#]+)/i.exec(text)?.groups?.['authority'];
	if (authority === undefined) {
		throw invalidUrlError(text, 'only addresses that begin with http:// or https:// are accepted');
	}
	if (authority.includes('@')) {
		throw invalidUrlError(text, 'a user name or password does not belong there: name a secret in auth');
	}
	const asWritten = authority.replace(/:\d*$/, '').toLowerCase();
	const url = URL.parse(text);
	if (url === null) {
		throw invalidUrlError(text, 'its host or port is not valid');
	}
	if (url.hostname !== asWritten) {
		throw invalidUrlError(text, `its host would be read as ${url.hostname}: write it so`);
	}
	return toTargetUrl(url);
}

/**
 * Returns the target of a redirect. Judges its host as the URL standard reads it, and connections go to that same host.
 */
export function resolveRedirect(location: string, from: TargetUrl): TargetUrl {
	const url = URL.parse(location, from.url.href);
	if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
		throw invalidUrlError(location, `${from.host} redirects there, and only http and https are followed`);
	}
	if (url.username !== '' || url.password !== '') {
		throw invalidUrlError(location, `${from.host} redirects there with a user name`);
	}
	return toTargetUrl(url);
}

function toTargetUrl(url: URL): TargetUrl {
	const isSecure = url.protocol === 'https:';
	const hostname = url.hostname.replace(/^\[|\]$/g, '');
	const isName = isIP(hostname) === 0;
	const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
	if (isName && (hostname.length > 253 || !hostname.split('.').every((part) => label.test(part)))) {
		throw invalidUrlError(url.href, `"${hostname}" is no host name`);
	}
	if (isName && /^(?:\d+|0x[0-9a-f]*)$/.test(hostname.split('.').at(-1) ?? '')) {
		throw invalidUrlError(url.href, `"${hostname}" is neither a name nor an address`);
	}
	url.hash = '';
	return {
		url,
		hostname,
		port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
		host: `${isIPv6(hostname) ? `[${hostname}]` : hostname}${url.port === '' ? '' : `:${url.port}`}`,
		isSecure,
	};
}

function invalidUrlError(url: string, why: string): ProwessError {
	const shown = url.slice(0, 200).replaceAll(/[^\u0021-\u007e]/gu, (character) => {
		return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
	});
	return new ProwessError('INVALID_PARAMS', `the address ${shown} is not accepted: ${why}`, {
		url: shown,
		said: text('The address {url} is not accepted: {why}', { url: shown, why }),
	});
}
