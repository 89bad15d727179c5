/** The address of a model server as somebody types it. */
import {
	baseUrlFault,
	type BaseUrlFault,
	isLoopbackUrl,
	isPrivateNetwork,
	isUnencrypted,
} from '../../../protocol/base-url.ts';

type TypedBaseUrl = { readonly fault: BaseUrlFault } | { readonly fault: undefined; readonly baseUrl: string };

/**
 * The whole address that is meant: `127.0.0.1:1234` is `http://127.0.0.1:1234/v1`. Without a scheme it is http on this machine
 * and in private networks, https elsewhere; without a path it is `/v1`, where servers of this kind answer.
 */
export function typedBaseUrl(typed: string): TypedBaseUrl {
	const text = typed.trim();
	const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? parseTypedUrl(text) : withScheme(text);
	const fault = baseUrlFault(url);
	if (fault !== undefined || url === undefined) {
		return { fault: fault ?? 'form' };
	}
	if (url.pathname === '/') {
		url.pathname = '/v1';
	}
	return { fault: undefined, baseUrl: url.href.replace(/\/+$/, '') };
}

/** True when the key and code would travel unencrypted through a network. */
export function isTypedUnencrypted(typed: string): boolean {
	const address = typedBaseUrl(typed);
	return address.fault === undefined && isUnencrypted(new URL(address.baseUrl));
}

function withScheme(text: string): URL | undefined {
	const plain = parseTypedUrl(`http://${text}`);
	return plain !== undefined && (isLoopbackUrl(plain) || isPrivateNetwork(plain))
		? plain
		: parseTypedUrl(`https://${text}`);
}

function parseTypedUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
