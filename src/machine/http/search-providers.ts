/** Providers of web searches: what each is asked, and where in its answer the results are. */
import { joinToLine } from '../../base/text/one-line.ts';
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import type { HttpAuth } from '../../protocol/ops/definitions/network/http.ts';
import type { WebSearch } from '../../protocol/ops/definitions/network/web.ts';
import * as z from '../../protocol/text/zod.ts';

export type NamedSearch = Exclude<WebSearch, { readonly provider: 'off' }>;

interface SearchAsked {
	readonly query: string;
	readonly count: number;
}

interface SearchRequest {
	readonly method: 'GET' | 'POST';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
	readonly auth: HttpAuth | undefined;
}

export interface SearchResult {
	readonly title: string;
	readonly url: string;
	readonly snippet: string;
}

const ADDRESS_CHARS = 2_000;
const jsonHeaders = { accept: 'application/json' };

/** `baseUrl` may end with a slash or not. */
export function searchRequest(search: NamedSearch, { query, count }: SearchAsked): SearchRequest {
	switch (search.provider) {
		case 'searxng': {
			const asked = new URLSearchParams({ q: query, format: 'json' });
			const url = `${withoutSlash(search.baseUrl)}/search?${asked.toString()}`;
			return { method: 'GET', url, headers: jsonHeaders, body: undefined, auth: undefined };
		}
		case 'brave': {
			const asked = new URLSearchParams({ q: query, count: String(count), text_decorations: 'false' });
			const base = withoutSlash(search.baseUrl ?? 'https://api.search.brave.com');
			const auth: HttpAuth = { secret: search.secret, scheme: 'header', name: 'x-subscription-token' };
			return {
				method: 'GET',
				url: `${base}/res/v1/web/search?${asked.toString()}`,
				headers: jsonHeaders,
				body: undefined,
				auth,
			};
		}
		case 'tavily': {
			const base = withoutSlash(search.baseUrl ?? 'https://api.tavily.com');
			const headers = { ...jsonHeaders, 'content-type': 'application/json' };
			const body = JSON.stringify({ query, max_results: count });
			return {
				method: 'POST',
				url: `${base}/search`,
				headers,
				body,
				auth: { secret: search.secret, scheme: 'bearer' },
			};
		}
	}
}

const ProviderResultList = z.object({ results: z.array(z.unknown()) });

const answers = {
	searxng: ProviderResultList.transform(({ results }) => results),
	// Where nothing is found, there is no `web`.
	brave: z
		.object({ type: z.literal('search'), web: ProviderResultList.nullish() })
		.transform(({ web }) => web?.results ?? []),
	tavily: ProviderResultList.transform(({ results }) => results),
} as const satisfies Record<NamedSearch['provider'], z.ZodType<unknown[]>>;

const lenientText = z.string().catch('');
const ProviderResult = z.object({
	title: lenientText,
	url: z.string(),
	content: lenientText,
	description: lenientText,
});

/** At most `count`; undefined: this is no answer of the provider. An entry without an address that one can open is left out. */
export function searchResults(
	provider: NamedSearch['provider'],
	body: string,
	count: number,
): readonly SearchResult[] | undefined {
	const answer = answers[provider].safeParse(parseJsonOrUndefined(body));
	if (!answer.success) {
		return undefined;
	}
	const results = answer.data.flatMap((entry): SearchResult[] => {
		const found = ProviderResult.safeParse(entry);
		const url = found.success ? normalizeWebAddress(found.data.url) : undefined;
		if (!found.success || url === undefined) {
			return [];
		}
		const { title, content, description } = found.data;
		return [{ title: joinToLine(title), url, snippet: joinToLine(content || description) }];
	});
	return results.slice(0, count);
}

/**
 * Returns the address as the URL standard writes it, so that no character in it ends a line. Undefined: not a web
 * address, or longer than `ADDRESS_CHARS`, because a cut address would lead elsewhere.
 */
function normalizeWebAddress(address: string): string | undefined {
	const url = URL.parse(address);
	const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
	return url !== null && isWeb && url.href.length <= ADDRESS_CHARS ? url.href : undefined;
}

function withoutSlash(base: string): string {
	return base.replace(/\/+$/, '');
}
