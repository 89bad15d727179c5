/**
 * Where requests and keys for models may go: one rule for the form that asks for an address and for the server that uses it.
 * Base URLs come from application-scoped settings only (a workspace cannot set them); even so, plain http is for this machine
 * alone: anywhere else it would show key and code to the network.
 */
export type BaseUrlFault = 'form' | 'credentials' | 'query' | 'plain';

/** A `URL`, which is none of the language itself. */
interface ReadUrl {
	readonly protocol: string;
	readonly username: string;
	readonly password: string;
	readonly hostname: string;
	readonly search: string;
	readonly hash: string;
}

export function isLoopback({ hostname }: Pick<ReadUrl, 'hostname'>): boolean {
	return (
		hostname === 'localhost' ||
		hostname.endsWith('.localhost') ||
		hostname === '[::1]' ||
		/^127(\.\d{1,3}){3}$/.test(hostname)
	);
}

/** Why it is not to be used; undefined: it may be. `url` is undefined for what cannot be read as one. */
export function baseUrlFault(url: ReadUrl | undefined): BaseUrlFault | undefined {
	if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		return 'form';
	}
	if (url.username !== '' || url.password !== '') {
		return 'credentials';
	}
	if (url.search !== '' || url.hash !== '') {
		return 'query';
	}
	return url.protocol === 'http:' && !isLoopback(url) ? 'plain' : undefined;
}
