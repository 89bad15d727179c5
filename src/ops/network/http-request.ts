/**
 * A request over HTTP as ops prepare and send it: what it touches is named to the gate, and each step of it is resolved and
 * checked anew.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { HttpAuth, HttpResponse } from '../../protocol/ops/definitions/network/http.ts';
import { text } from '../../protocol/text/text.ts';
import { type Caller, toCallerIdentity } from '../../contract/ops/caller.ts';
import type { OpContext, Prepared } from '../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import { responseBody } from '../../machine/http/response-body.ts';
import { MAX_HTTP_REDIRECTS } from '../../machine/http/limits.ts';
import { authHeaderName, headerValue } from '../../machine/http/request-headers.ts';
import { isListedHost, refuseInnerHost, resolveHost } from '../../machine/http/resolve-host.ts';
import { sendHttpRequest, type Incoming } from '../../machine/http/send.ts';
import { hostHere, isHere, refuseOwnPort, resolveHere } from '../../machine/http/server-here.ts';
import { resolveRedirect, type TargetUrl } from '../../machine/http/target-url.ts';
import type { DataDeps } from '../data/data-deps.ts';
import type { NetworkDeps } from './network-deps.ts';

export type HttpSending = Pick<NetworkDeps, 'http'> & Pick<DataDeps, 'secrets'>;

interface HttpAsked {
	readonly method: string;
	readonly target: TargetUrl;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
	readonly auth: HttpAuth | undefined;
	/** Session of the caller; undefined: its own cookies. */
	readonly session: string | undefined;
}

export async function prepareRequest(
	deps: HttpSending,
	request: HttpAsked,
	caller: Caller,
): Promise<Prepared<HttpResponse>> {
	const { method, target, headers, body, auth, session } = request;
	const allowed = deps.http.allowedHosts();
	// A capability reaches this machine only where the user's settings say so.
	const isAskedHere = caller.kind === 'agent' && isHere(target) && !isListedHost(target, allowed);
	const host = isAskedHere ? hostHere(target) : target.host;
	if (isAskedHere) {
		await refuseOwnPort(target);
	} else {
		refuseInnerHost(target, allowed);
	}
	const targets: OpTarget[] = [isAskedHere ? { kind: 'host', host, isHere: true } : { kind: 'host', host }];
	if (auth !== undefined) {
		targets.push({ kind: 'secret', name: auth.secret, host });
	}
	const lines = [
		`${method} ${target.url.href}`,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		...(auth === undefined ? [] : [`with the secret "${auth.secret}" (${describeScheme(auth)})`]),
		...(body === undefined ? [] : ['', body]),
	];
	// Before anybody is asked about it.
	if (session !== undefined) deps.http.cookies.of(toCallerIdentity(caller), session);
	return {
		targets,
		detail: { kind: 'text', text: lines.join('\n') },
		run: (context) => sendWithRedirects(deps, request, isAskedHere, context),
	};
}

/** Each step is resolved, checked and connected anew. */
async function sendWithRedirects(
	{ http, secrets }: HttpSending,
	first: HttpAsked,
	isAskedHere: boolean,
	context: OpContext,
): Promise<HttpResponse> {
	const { signal, caller } = context;
	const { jar } = http.cookies.of(toCallerIdentity(caller), first.session);
	let request = first;
	for (let redirects = 0; ; redirects++) {
		const { method, target, body, auth } = request;
		// Only the server that was asked about; where it leads is another question.
		const addresses =
			isAskedHere && target.host === first.target.host
				? await resolveHere(target, http.resolve, signal)
				: await resolveHost(target, http.allowedHosts(), http.resolve, signal);
		const cookies = jar.for(target).map(({ name, value }) => `${name}=${value}`);
		const secret = auth === undefined ? undefined : await secrets.read(auth.secret);
		const headers = {
			...request.headers,
			...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
			...(auth === undefined || secret === undefined ? {} : authHeader(auth, secret)),
		};
		const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8');
		// The address with the key is for this request alone: neither its result nor what follows from it has the key.
		const sent = auth === undefined || secret === undefined ? target : addKeyToAddress(target, auth, secret);
		const response = await sendHttpRequest({ method, target: sent, addresses, headers, body: bytes }, signal);
		for (const value of jar.store(target, response.cookies)) secrets.noticePart(value);
		const location = findRedirectLocation(response);
		if (location === undefined) {
			return toHttpResponse(target, response);
		}
		const next = removeKeyFromAddress(resolveRedirect(location, target), auth, secret);
		const isDowngrade = target.isSecure && !next.isSecure;
		const redirected = buildRedirectRequest(request, response.status, next);
		// The gate judged method and body for one server: no other one gets them, even if it may be asked.
		const isSentElsewhere =
			next.url.origin !== target.url.origin && !['GET', 'HEAD', 'OPTIONS'].includes(redirected.method);
		if (
			isDowngrade ||
			isSentElsewhere ||
			(next.host !== target.host && !context.isAllowed({ kind: 'host', host: next.host }))
		) {
			return { ...toHttpResponse(target, response), leadsTo: next.url.href };
		}
		if (redirects === MAX_HTTP_REDIRECTS) {
			throw new ProwessError('REQUEST_FAILED', `${first.target.host} redirects more than ${MAX_HTTP_REDIRECTS} times`, {
				host: first.target.host,
				said: text('{host} redirects too many times.', { host: first.target.host }),
			});
		}
		request = redirected;
	}
}

function findRedirectLocation({ status, headers }: Incoming): string | undefined {
	return [301, 302, 303, 307, 308].includes(status) ? headers['location'] : undefined;
}

/**
 * Builds the request to the target of a redirect. At another origin, only the headers `accept`, `accept-language` and
 * `user-agent` go along, no credentials and no body. At the same one the body goes along unless the redirect turns the
 * request into a GET.
 */
function buildRedirectRequest(request: HttpAsked, status: number, target: TargetUrl): HttpAsked {
	const turnsToGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
	const isSameOrigin = target.url.origin === request.target.url.origin;
	const kept = Object.entries(request.headers).filter(
		([name]) =>
			(isSameOrigin || ['accept', 'accept-language', 'user-agent'].includes(name)) &&
			!(turnsToGet && name.startsWith('content-')),
	);
	return {
		target,
		method: turnsToGet ? 'GET' : request.method,
		body: turnsToGet || !isSameOrigin ? undefined : request.body,
		headers: Object.fromEntries(kept),
		auth: isSameOrigin ? request.auth : undefined,
		session: request.session,
	};
}

function toHttpResponse(target: TargetUrl, response: Incoming): HttpResponse {
	const { status, headers } = response;
	return {
		url: target.url.href,
		status,
		headers: { ...headers },
		...responseBody(headers['content-type'], response.body),
	};
}

export function refuseWrongAuth(deps: HttpSending, target: TargetUrl, auth: HttpAuth | undefined): void {
	if (auth === undefined) {
		return;
	}
	refuseOpenSecret(deps, target);
	// A placeholder for the secret: names and scheme are checked before it is read.
	authHeader(auth, 'x');
	addKeyToAddress(target, auth, 'x');
}

/** Throws INVALID_PARAMS where a secret would be sent for everybody to read. */
export function refuseOpenSecret({ http }: HttpSending, target: TargetUrl): void {
	if (!target.isSecure && !isListedHost(target, http.allowedHosts())) {
		throw new ProwessError('INVALID_PARAMS', `a secret is sent over https only, not to ${target.url.href}`, {
			said: text('A secret is sent over https only, not to {url}.', { url: target.url.href }),
		});
	}
}

function authHeader({ scheme, user, name }: HttpAuth, value: string): Record<string, string> {
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
		case 'query':
			return {};
	}
}

function describeScheme({ scheme, name }: HttpAuth): string {
	return scheme === 'query' && name !== undefined ? `${scheme}: ${name}` : scheme;
}

/** The address with the secret as one more parameter, where that is how the server wants it. */
function addKeyToAddress(target: TargetUrl, { scheme, name = '' }: HttpAuth, value: string): TargetUrl {
	if (scheme !== 'query') return target;
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

/** Takes the key out of an address that a server repeats it in. At its own origin, the next request adds it again. */
function removeKeyFromAddress(target: TargetUrl, auth: HttpAuth | undefined, secret: string | undefined): TargetUrl {
	const { scheme, name = '' } = auth ?? {};
	if (scheme !== 'query' || !target.url.searchParams.getAll(name).includes(secret?.trim() ?? '')) return target;
	const url = new URL(target.url.href);
	// Each other parameter stays as it is written.
	const isKey = (part: string) => new URLSearchParams(part).has(name);
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
