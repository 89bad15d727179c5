/**
 * Headers that a caller may choose. Prowess alone sets the headers that decide where a request goes or how it is
 * framed.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';

const allowedHeaders = new Set([
	'accept',
	'accept-language',
	'api-version',
	'cache-control',
	'content-language',
	'content-type',
	'depth',
	'if-match',
	'if-modified-since',
	'if-none-match',
	'if-range',
	'if-unmodified-since',
	'idempotency-key',
	'origin',
	'pragma',
	'prefer',
	'range',
	'referer',
	'user-agent',
]);
/** They make a server believe in another method, path or sender. */
const deceptive = /^x-(?:http-method|method-override|original|rewrite|forwarded|real-ip|client-ip|host|proxy|aws-ec2)/;
const custom = /^x-[a-z0-9-]+$/;

export function requestHeaders(asked: Readonly<Record<string, string>>): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [given, value] of Object.entries(asked)) {
		const name = given.toLowerCase();
		if (!allowedHeaders.has(name) && (!custom.test(name) || deceptive.test(name))) {
			const hint = /authorization|token|key|cookie/.test(name) ? '. Name a secret in auth instead' : '';
			throw new ProwessError('INVALID_PARAMS', `the header ${quoteHeaderName(given)} cannot be set${hint}`, {});
		}
		if (Object.hasOwn(headers, name)) {
			throw new ProwessError('INVALID_PARAMS', `the header ${name} is given twice`, {});
		}
		headers[name] = headerValue(name, value);
	}
	return headers;
}

/**
 * Returns the trimmed value. Throws INVALID_PARAMS for characters that no header can hold: behind the end of a line,
 * the rest would be read as a header or a request of its own.
 */
export function headerValue(name: string, value: string): string {
	if (/[^\t\u0020-\u007e]/u.test(value)) {
		throw new ProwessError('INVALID_PARAMS', `the value of the header ${name} holds a character no header can`, {});
	}
	return value.trim();
}

/** A header in which a secret may be sent. */
export function authHeaderName(name: string): string {
	const lower = name.toLowerCase();
	if (!/^(?:authorization|api-key|apikey|private-token|x-[a-z0-9-]+)$/.test(lower) || deceptive.test(lower)) {
		throw new ProwessError('INVALID_PARAMS', `a secret cannot be sent in the header ${quoteHeaderName(name)}`, {});
	}
	return lower;
}

function quoteHeaderName(name: string): string {
	return JSON.stringify(name.slice(0, 60));
}
