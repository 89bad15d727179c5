/** web.search. A request like any other, to the one host that the user has named: that host may be in their own network. */
import { baseUrlFault } from '../../protocol/base-url.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { HttpResponse } from '../../protocol/ops/definitions/network/http.ts';
import type { WebSearch } from '../../protocol/ops/definitions/network/web.ts';
import { text } from '../../protocol/text/text.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import {
	type NamedSearch,
	searchRequest,
	type SearchResult,
	searchResults,
} from '../../machine/http/search-providers.ts';
import { parseTargetUrl, type TargetUrl } from '../../machine/http/target-url.ts';
import { type HttpSending, prepareRequest } from './http-request.ts';
import type { NetworkDeps } from './network-deps.ts';
import { refuseWrongAuth } from './sent-secrets.ts';

export function webOps(deps: HttpSending & Pick<NetworkDeps, 'webSearch'>): Pick<OpImplementations, 'web.search'> {
	return {
		'web.search': {
			async prepare(params, { caller }) {
				const search = namedSearch(deps.webSearch());
				const { url, ...request } = searchRequest(search, params);
				const target = parseTargetUrl(url);
				// Without an address of the user's own, only public addresses are asked.
				const sending = search.baseUrl === undefined ? deps : allowSearchHost(deps, target);
				const asked = { ...request, target, auth: request.auth === undefined ? [] : [request.auth] };
				refuseWrongAuth(sending.http.allowedHosts(), asked, asked.auth);
				const prepared = await prepareRequest(sending, { ...asked, session: undefined }, caller);
				return {
					targets: prepared.targets,
					detail: prepared.detail,
					async run(context) {
						const response = await prepared.run(context);
						return { results: readSearchResults(search, target.host, params.count, response) };
					},
				};
			},
		},
	};
}

function namedSearch(search: WebSearch): NamedSearch {
	if (search.provider === 'off') {
		throw new ProwessError('SEARCH_NOT_SET_UP', 'no provider for web searches is named in prowess.web.search', {
			said: text('The web cannot be searched: no provider is named in prowess.web.search.'),
		});
	}
	const fault = search.baseUrl === undefined ? undefined : baseUrlFault(URL.parse(search.baseUrl) ?? undefined);
	if (fault !== undefined) {
		const why = {
			form: 'it is no address that begins with http:// or https://',
			credentials: 'it holds a user name or password',
			query: 'it holds a "?" or "#"',
			plain: 'only addresses on this machine and in private networks may be without https',
		}[fault];
		throw new ProwessError('SEARCH_NOT_SET_UP', `the baseUrl in prowess.web.search cannot be used: ${why}`, {
			said: text('The web cannot be searched: the baseUrl in prowess.web.search cannot be used: {why}', { why }),
		});
	}
	return search;
}

/** The user's own setting names this server, and no other port of its host. */
function allowSearchHost({ http, secrets }: HttpSending, { hostname, port }: TargetUrl): HttpSending {
	const named = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
	return {
		secrets,
		http: { resolve: http.resolve, cookies: http.cookies, allowedHosts: () => [...http.allowedHosts(), named] },
	};
}

function readSearchResults(search: NamedSearch, host: string, count: number, response: HttpResponse): SearchResult[] {
	const { status, body, encoding, leadsTo } = response;
	if (leadsTo !== undefined) {
		const message = `${host} leads to ${leadsTo} instead of answering the search`;
		throw new ProwessError('REQUEST_FAILED', message, {
			host,
			said: text('{host} leads to {where} instead of answering the search.', { host, where: leadsTo }),
		});
	}
	// Brave says 422 of a key that it does not know.
	if (status === 401 || status === 403 || (status === 422 && body.includes('SUBSCRIPTION_TOKEN_INVALID'))) {
		const message =
			search.provider === 'searxng'
				? `${host} refused the search (HTTP ${status}): the format json is not enabled there, or it wants a login`
				: `${host} refused the key in the secret "${search.secret}" (HTTP ${status})`;
		throw new ProwessError('SEARCH_REFUSED', message, { host, status });
	}
	// Tavily says 432 and 433 where the plan or the budget is used up.
	if ([429, 432, 433].includes(status)) {
		const message = `the search limit of ${host} is reached (HTTP ${status})`;
		throw new ProwessError('SEARCH_LIMITED', message, { host, status });
	}
	if (status !== 200) {
		throw new ProwessError('REQUEST_FAILED', `${host} answered the search with HTTP ${status}`, {
			host,
			status,
			said: text('{host} answered the search with HTTP {status}.', { host, status }),
		});
	}
	const results = encoding === 'text' ? searchResults(search.provider, body, count) : undefined;
	if (results === undefined) {
		throw new ProwessError('DATA_MALFORMED', `${host} did not answer with search results in JSON`, {
			host,
			said: text('{host} did not answer with search results in JSON.', { host }),
		});
	}
	return [...results];
}
