/**
 * Where requests and keys for models may go: one rule for the form that asks for an address and for the server that uses it.
 * Base URLs come from application-scoped settings only (a workspace cannot set them); even so, plain http is for this machine
 * and for private networks, where the user is told that key and code travel unencrypted.
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

export function isLoopbackUrl({ hostname }: Pick<ReadUrl, 'hostname'>): boolean {
	return (
		hostname === 'localhost' ||
		hostname.endsWith('.localhost') ||
		hostname === '[::1]' ||
		/^127(\.\d{1,3}){3}$/.test(hostname)
	);
}

/**
 * An address of a private network: RFC 1918 and RFC 4193, `*.local`, and the machine on which a container runs. Not the
 * link-local addresses, under which clouds tell machines their secrets.
 */
export function isPrivateNetwork({ hostname }: Pick<ReadUrl, 'hostname'>): boolean {
	const [first = 0, second = 0] = /^\d+(\.\d+){3}$/.test(hostname) ? hostname.split('.').map(Number) : [];
	return (
		first === 10 ||
		(first === 172 && second >= 16 && second < 32) ||
		(first === 192 && second === 168) ||
		/^\[f[cd][\da-f]{2}:/.test(hostname) ||
		/^(?:[\w-]+\.)+local$/.test(hostname) ||
		hostname === 'host.docker.internal'
	);
}

/** Returns true when key and code would travel through a network that others may read. */
export function isUnencrypted(url: Pick<ReadUrl, 'protocol' | 'hostname'>): boolean {
	return url.protocol === 'http:' && !isLoopbackUrl(url);
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
	return url.protocol === 'http:' && !isLoopbackUrl(url) && !isPrivateNetwork(url) ? 'plain' : undefined;
}
