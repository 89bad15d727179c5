/**
 * http.get, http.request, sessions and cookies. No resolver is asked before the gate has decided: a name that is
 * looked up has already told somebody something.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpName, OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { HttpResponse } from '../../protocol/ops/definitions/network/http.ts';
import { SecretName } from '../../protocol/ops/definitions/network/http.ts';
import { text } from '../../protocol/text/text.ts';
import { toCallerIdentity } from '../../contract/ops/caller.ts';
import type { OpImplementations, PrepareContext, Prepared } from '../../contract/ops/op-implementation.ts';
import { requestHeaders } from '../../machine/http/request-headers.ts';
import { parseStoredCookies } from '../../machine/http/cookie-jar.ts';
import { parseTargetUrl, type TargetUrl } from '../../machine/http/target-url.ts';
import { callingCapability } from '../data/secrets.ts';
import { type HttpSending, prepareRequest } from './http-request.ts';
import { refuseOpenSecret, refuseWrongAuth } from './sent-secrets.ts';
import { isModel } from '../seen-texts.ts';

type HttpOp = Extract<OpName, `http.${string}` | `cookie.${string}`>;

export function httpOps(deps: HttpSending): Pick<OpImplementations, HttpOp> {
	return {
		'http.get': {
			async prepare({ url, raw, session }, { caller }) {
				const target = parseTargetUrl(url);
				const { headers } = deps.http.cookies.of(toCallerIdentity(caller), session);
				const source = await prepareRequest(
					deps,
					{ method: 'GET', target, headers, body: undefined, auth: [], session },
					caller,
				);
				return raw || !isModel(caller)
					? source
					: { ...source, run: async (context) => readablePage(await source.run(context)) };
			},
		},
		'http.request': {
			async prepare({ method, url, headers: asked, body, auth: first, moreAuth, session }, { caller }) {
				const target = parseTargetUrl(url);
				const wanted = [...(first === undefined ? [] : [first]), ...moreAuth];
				if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
					throw new ProwessError('INVALID_PARAMS', `a ${method} request has no body`, {});
				}
				const { headers: ofSession } = deps.http.cookies.of(toCallerIdentity(caller), session);
				const headers = { ...ofSession, ...requestHeaders(asked) };
				refuseWrongAuth(deps.http.allowedHosts(), { target, headers, body }, wanted);
				const auth = await Promise.all(
					wanted.map(async (each) => ({
						...each,
						secret: await deps.secrets.resolveName(callingCapability(caller), each.secret),
					})),
				);
				return await prepareRequest(deps, { method, target, headers, body, auth, session }, caller);
			},
		},
		'http.sessionOpen': {
			prepare: ({ headers: asked }) =>
				Promise.resolve().then(() => {
					const headers = requestHeaders(asked);
					return {
						targets: [],
						detail: { kind: 'text', text: 'Open an HTTP session with cookies of its own' },
						run: ({ caller }) =>
							Promise.resolve().then(() => ({ session: deps.http.cookies.open(toCallerIdentity(caller), headers) })),
					};
				}),
		},
		'http.sessionClose': {
			prepare: ({ session }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: `Close the HTTP session ${session}` },
					run: ({ caller }) =>
						Promise.resolve().then(() => ({ removed: deps.http.cookies.close(toCallerIdentity(caller), session) })),
				}),
		},
		'cookie.resolve': { prepare: (params, context) => prepareLoan(deps, params, context) },
		'cookie.get': {
			prepare: ({ url, session }, { caller }) =>
				Promise.resolve().then(() => {
					const target = parseTargetUrl(url);
					const { jar } = deps.http.cookies.of(toCallerIdentity(caller), session);
					return {
						targets: [],
						detail: { kind: 'text', text: `Read the cookies for ${target.url.href}` },
						run: () =>
							Promise.resolve({
								cookies: jar.for(target).flatMap(({ name, value, isLent }) => (isLent ? [] : [{ name, value }])),
							}),
					};
				}),
		},
		'cookie.clear': {
			prepare: ({ url, session }, { caller }) =>
				Promise.resolve().then(() => {
					const { jar } = deps.http.cookies.of(toCallerIdentity(caller), session);
					const hostname = url === undefined ? undefined : parseTargetUrl(url).hostname;
					return {
						targets: [],
						detail: { kind: 'text', text: `Forget the cookies${hostname === undefined ? '' : ` of ${hostname}`}` },
						run: () => Promise.resolve({ removed: jar.clear(hostname) }),
					};
				}),
		},
	};
}

/**
 * Cookies that the user stored for a site, for requests of the caller to that site alone. No browser's store is read: where
 * nothing is stored, the error says under which name to store it.
 */
async function prepareLoan(
	deps: HttpSending,
	{ url, domain, account, session }: OpParams<'cookie.resolve'>,
	{ caller }: PrepareContext,
): Promise<Prepared<OpResult<'cookie.resolve'>>> {
	if ((url === undefined) === (domain === undefined)) {
		throw new ProwessError('INVALID_PARAMS', 'cookie.resolve: give either url or domain', {});
	}
	const target = parseTargetUrl(url ?? `https://${domain?.replace(/^\./, '')}/`);
	refuseOpenSecret(deps.http.allowedHosts(), target);
	const { jar } = deps.http.cookies.of(toCallerIdentity(caller), session);
	const asked = nameSiteSecret(target, account);
	const secret = await deps.secrets.resolveName(callingCapability(caller), asked);
	if (await deps.secrets.has(secret)) {
		const what = `Send the cookies stored as the secret "${secret}" with requests of this run to ${target.url.origin} only`;
		return {
			targets: [{ kind: 'secret', name: secret, host: target.host }],
			detail: { kind: 'text', text: what },
			async run() {
				const cookies = parseStoredCookies(await deps.secrets.read(secret));
				if (cookies === undefined) {
					const message = `the secret "${secret}" holds no cookies. Ask the user to store them as a browser sends them: a=1; b=2`;
					const said = text('The secret "{name}" holds no cookies. Store them as a browser sends them: a=1; b=2', {
						name: secret,
					});
					throw new ProwessError('DATA_MALFORMED', message, { said });
				}
				for (const { value } of cookies) deps.secrets.noticePart(value);
				return { host: target.host, source: 'secret', secret, names: jar.lend(target, cookies) };
			},
		};
	}
	const names = jar.for(target).map(({ name }) => name);
	if (names.length === 0) {
		const message = `no cookies of ${target.host} are stored. Ask the user to store the cookies of the site, a=1; b=2, as the secret "${asked}"`;
		throw new ProwessError('SECRET_NOT_FOUND', message, { name: asked });
	}
	return {
		targets: [{ kind: 'host', host: target.host }],
		detail: { kind: 'text', text: `Use the cookies that ${target.host} has set in this run` },
		run: () => Promise.resolve({ host: target.host, source: 'jar', names }),
	};
}

/** Name of the secret with a site's cookies. No host has a `_`, so an account cannot pass for a part of another host. */
function nameSiteSecret({ hostname, host }: TargetUrl, account: string | undefined): string {
	const name = `cookie.${hostname}${account === undefined ? '' : `_${account}`}`;
	if (hostname.includes('_') || !SecretName.safeParse(name).success) {
		throw new ProwessError('INVALID_PARAMS', `no secret can be named for the cookies of ${host}`, {
			said: text('No secret can be named for the cookies of {host}.', { host }),
		});
	}
	return name;
}

async function readablePage(response: HttpResponse): Promise<HttpResponse> {
	const { encoding, headers, body, url } = response;
	const isPage =
		encoding === 'text' && /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
	if (!isPage) {
		return response;
	}
	// Loaded for a page only: it knows the name of every character that HTML has a name for.
	const { htmlToMarkdown } = await import('../../machine/http/html-to-markdown.ts');
	return { ...response, body: htmlToMarkdown(body, url), isMarkdown: true };
}
