/**
 * Where the secrets of a request go: a header, a parameter of the address or a field of the body. The user is asked about
 * the request without them, and so it is recorded.
 */
import { isPlainData, parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { HttpAuth } from '../../protocol/ops/definitions/network/http.ts';
import { text } from '../../protocol/text/text.ts';
import { authHeaderName, headerValue } from '../../machine/http/request-headers.ts';
import { isListedHost } from '../../machine/http/resolve-host.ts';
import type { TargetUrl } from '../../machine/http/target-url.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { MIN_SECRET_LENGTH } from '../../trust/record/redaction/limits.ts';

/** The parts of a request that may carry a secret. */
export interface Carrier {
	readonly target: TargetUrl;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
}

/** A secret as it is sent. */
interface SentSecret {
	readonly auth: HttpAuth;
	readonly value: string;
}

/** Throws INVALID_PARAMS where a secret would be sent for everybody to read, or the request has no place for it. */
export function refuseWrongAuth(allowed: readonly string[], request: Carrier, auth: readonly HttpAuth[]): void {
	if (auth.length === 0) {
		return;
	}
	refuseOpenSecret(allowed, request.target);
	const headers = auth.flatMap(({ scheme, name = '' }) =>
		scheme === 'bearer' || scheme === 'basic' ? ['authorization'] : scheme === 'header' ? [name.toLowerCase()] : [],
	);
	if (new Set(headers).size < headers.length) {
		throw new ProwessError('INVALID_PARAMS', `two secrets go into one header: ${headers.join(', ')}`, {});
	}
	// A placeholder for each secret: names and schemes are checked before one is read.
	addSecrets(
		request,
		auth.map((each) => ({ auth: each, value: 'x' })),
	);
}

/** Throws INVALID_PARAMS where a secret would be sent for everybody to read. */
export function refuseOpenSecret(allowed: readonly string[], target: TargetUrl): void {
	if (!target.isSecure && !isListedHost(target, allowed)) {
		throw new ProwessError('INVALID_PARAMS', `a secret is sent over https only, not to ${target.url.href}`, {
			said: text('A secret is sent over https only, not to {url}.', { url: target.url.href }),
		});
	}
}

/** The value of each secret, which the redaction knows from then on. Rejects with SECRET_NOT_FOUND or INVALID_PARAMS. */
export async function readSecrets(
	secrets: Pick<SecretVault, 'read' | 'noticePart'>,
	auth: readonly HttpAuth[],
): Promise<readonly SentSecret[]> {
	const sent: SentSecret[] = [];
	for (const each of auth) {
		const whole = await secrets.read(each.secret);
		const value = each.part === undefined ? whole : findPart(each.secret, whole, each.part);
		secrets.noticePart(value);
		sent.push({ auth: each, value });
	}
	return sent;
}

/** A field of a secret that is a JSON object, or one of several texts between colons, counted from 1. */
function findPart(name: string, whole: string, part: string): string {
	const fields = parseJsonFields(whole);
	const found =
		fields === undefined ? whole.split(':')[Number(part) - 1] : Object.hasOwn(fields, part) ? fields[part] : undefined;
	const value = typeof found === 'string' ? found.trim() : '';
	// A shorter one would not be redacted where the server repeats it.
	if (value.length < MIN_SECRET_LENGTH) {
		const least = MIN_SECRET_LENGTH;
		throw new ProwessError(
			'INVALID_PARAMS',
			`the secret "${name}" has no part "${part}" of ${least} characters or more`,
			{
				said: text('The secret "{name}" has no part "{part}" of {least} characters or more.', { name, part, least }),
			},
		);
	}
	return value;
}

/** Fields of an object of JSON; undefined for any other text. */
function parseJsonFields(written: string): Readonly<Record<string, unknown>> | undefined {
	const read = parseJsonOrUndefined(written);
	return isPlainData(read) ? read : undefined;
}

/** The request with its secrets, for the server alone: neither a result nor what follows from it has them. */
export function addSecrets(request: Carrier, secrets: readonly SentSecret[]): Carrier {
	return secrets.reduce(({ target, headers, body }, { auth, value }) => {
		const { scheme, name } = auth;
		switch (scheme) {
			case 'query':
				return { target: addParameter(target, name, value), headers, body };
			case 'body':
				return { target, headers, body: addField(headers['content-type'], body, name, value) };
			case 'bearer':
			case 'basic':
			case 'header':
				return { target, headers: { ...headers, ...authHeader({ ...auth, scheme }, value) }, body };
		}
	}, request);
}

function authHeader(
	{ scheme, user, name }: HttpAuth & { readonly scheme: 'bearer' | 'basic' | 'header' },
	value: string,
): Record<string, string> {
	switch (scheme) {
		case 'bearer':
			return { authorization: `Bearer ${secretValue(value)}` };
		case 'basic':
			if (user === undefined || /[:\p{Cc}]/u.test(user)) {
				throw new ProwessError('INVALID_PARAMS', 'auth "basic" needs a user without a colon', {});
			}
			return { authorization: `Basic ${Buffer.from(`${user}:${value}`, 'utf8').toString('base64')}` };
		case 'header':
			if (name === undefined) {
				throw new ProwessError('INVALID_PARAMS', 'auth "header" needs the name of the header', {});
			}
			return { [authHeaderName(name)]: secretValue(value) };
	}
}

export function describeScheme({ scheme, name, part }: HttpAuth): string {
	const place = (scheme === 'query' || scheme === 'body') && name !== undefined ? `${scheme}: ${name}` : scheme;
	return part === undefined ? place : `part ${part}, ${place}`;
}

/** The address with the secret as one more parameter. */
function addParameter(target: TargetUrl, name = '', value: string): TargetUrl {
	if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
		throw new ProwessError(
			'INVALID_PARAMS',
			'auth "query" needs the name of the parameter: letters, digits, "_.-"',
			{},
		);
	}
	if (target.url.searchParams.has(name)) {
		throw new ProwessError(
			'INVALID_PARAMS',
			`the address has the parameter ${name} already, which auth "query" adds`,
			{},
		);
	}
	const url = new URL(target.url.href);
	url.search += `${url.search === '' ? '' : '&'}${name}=${encodeURIComponent(secretValue(value))}`;
	return { ...target, url };
}

/** The body with the secret as one more field. The bytes before it stay as they are, because they were judged. */
function addField(type = '', body: string | undefined, name = '', value: string): string {
	if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
		throw new ProwessError('INVALID_PARAMS', 'auth "body" needs the name of the field: letters, digits, "_.-"', {});
	}
	const isForm = type.toLowerCase().startsWith('application/x-www-form-urlencoded');
	const fields = body === undefined || isForm ? undefined : parseJsonFields(body);
	if (!isForm && fields === undefined) {
		throw new ProwessError('INVALID_PARAMS', 'auth "body" needs a body that is a form, or an object of JSON', {});
	}
	if (fields === undefined ? new URLSearchParams(body).has(name) : Object.hasOwn(fields, name)) {
		throw new ProwessError('INVALID_PARAMS', `the body has the field ${name} already, which auth "body" adds`, {});
	}
	const written = body ?? '';
	if (fields === undefined) return `${written}${written === '' ? '' : '&'}${name}=${encodeURIComponent(value.trim())}`;
	const head = written.slice(0, written.lastIndexOf('}')).trimEnd();
	return `${head}${head.endsWith('{') ? '' : ','}"${name}":${JSON.stringify(value.trim())}}`;
}

/** Takes keys out of an address that a server repeats them in. At its own origin, the next request adds them again. */
export function removeKeysFromAddress(target: TargetUrl, secrets: readonly SentSecret[]): TargetUrl {
	const names = secrets.flatMap(({ auth: { scheme, name = '' }, value }) =>
		scheme === 'query' && target.url.searchParams.getAll(name).includes(value.trim()) ? [name] : [],
	);
	if (names.length === 0) return target;
	const url = new URL(target.url.href);
	// Each other parameter stays as it is written.
	const isKey = (part: string) => names.some((name) => new URLSearchParams(part).has(name));
	url.search = url.search
		.slice(1)
		.split('&')
		.filter((part) => !isKey(part))
		.join('&');
	return { ...target, url };
}

function secretValue(value: string): string {
	return headerValue('that carries the secret', value.trim());
}
