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
import { isListedHost, refuseInnerHost, resolveHost } from '../../machine/http/resolve-host.ts';
import { sendHttpRequest, type Incoming } from '../../machine/http/send.ts';
import { hostHere, isHere, refuseOwnPort, resolveHere } from '../../machine/http/server-here.ts';
import { resolveRedirect, type TargetUrl } from '../../machine/http/target-url.ts';
import type { DataDeps } from '../data/data-deps.ts';
import type { NetworkDeps } from './network-deps.ts';
import { addSecrets, type Carrier, describeScheme, readSecrets, removeKeysFromAddress } from './sent-secrets.ts';

export type HttpSending = Pick<NetworkDeps, 'http'> & Pick<DataDeps, 'secrets'>;

interface HttpAsked extends Carrier {
	readonly method: string;
	readonly auth: readonly HttpAuth[];
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
	for (const name of new Set(auth.map(({ secret }) => secret))) {
		targets.push({ kind: 'secret', name, host });
	}
	const lines = [
		`${method} ${target.url.href}`,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		...auth.map((each) => `with the secret "${each.secret}" (${describeScheme(each)})`),
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
		const { method, target } = request;
		// Only the server that was asked about; where it leads is another question.
		const addresses =
			isAskedHere && target.host === first.target.host
				? await resolveHere(target, http.resolve, signal)
				: await resolveHost(target, http.allowedHosts(), http.resolve, signal);
		const cookies = jar.for(target).map(({ name, value }) => `${name}=${value}`);
		const sent = await readSecrets(secrets, request.auth);
		const carrier = addSecrets(request, sent);
		const headers = {
			...carrier.headers,
			...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
		};
		const bytes = carrier.body === undefined ? undefined : Buffer.from(carrier.body, 'utf8');
		const asked = { method, target: carrier.target, addresses, headers, body: bytes };
		const response = await sendHttpRequest(asked, signal);
		for (const value of jar.store(target, response.cookies)) secrets.noticePart(value);
		const location = findRedirectLocation(response);
		if (location === undefined) {
			return toHttpResponse(target, response);
		}
		const next = removeKeysFromAddress(resolveRedirect(location, target), sent);
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
		auth: isSameOrigin ? request.auth.filter(({ scheme }) => scheme !== 'body' || !turnsToGet) : [],
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
