/**
 * http.get, http.request, cookie.get, cookie.clear. No resolver is asked before the gate has decided: a name that is
 * looked up has already told somebody something.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import type { HttpResponse } from '../../protocol/ops/definitions/network/http.ts';
import { toCallerIdentity } from '../../contract/ops/caller.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { requestHeaders } from '../../machine/http/request-headers.ts';
import { parseTargetUrl } from '../../machine/http/target-url.ts';
import { type HttpSending, prepareRequest, refuseWrongAuth } from './http-request.ts';
import { isModel } from '../seen-texts.ts';

type HttpOp = Extract<OpName, `http.${string}` | `cookie.${string}`>;

export function httpOps(deps: HttpSending): Pick<OpImplementations, HttpOp> {
	return {
		'http.get': {
			async prepare({ url, raw }, { caller }) {
				const target = parseTargetUrl(url);
				const source = await prepareRequest(
					deps,
					{ method: 'GET', target, headers: {}, body: undefined, auth: undefined },
					caller,
				);
				return raw || !isModel(caller)
					? source
					: { ...source, run: async (context) => readablePage(await source.run(context)) };
			},
		},
		'http.request': {
			prepare: ({ method, url, headers, body, auth }, { caller }) =>
				Promise.resolve().then(() => {
					const target = parseTargetUrl(url);
					refuseWrongAuth(deps, target, auth);
					if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
						throw new ProwessError('INVALID_PARAMS', `a ${method} request has no body`, {});
					}
					return prepareRequest(deps, { method, target, headers: requestHeaders(headers), body, auth }, caller);
				}),
		},
		'cookie.get': {
			prepare: ({ url }) =>
				Promise.resolve().then(() => {
					const target = parseTargetUrl(url);
					return {
						targets: [],
						detail: { kind: 'text', text: `Read the cookies for ${target.url.href}` },
						run: ({ caller }) =>
							Promise.resolve({ cookies: deps.http.cookies.of(toCallerIdentity(caller)).for(target) }),
					};
				}),
		},
		'cookie.clear': {
			prepare: ({ url }) =>
				Promise.resolve().then(() => {
					const hostname = url === undefined ? undefined : parseTargetUrl(url).hostname;
					return {
						targets: [],
						detail: { kind: 'text', text: `Forget the cookies${hostname === undefined ? '' : ` of ${hostname}`}` },
						run: ({ caller }) =>
							Promise.resolve({ removed: deps.http.cookies.of(toCallerIdentity(caller)).clear(hostname) }),
					};
				}),
		},
	};
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
