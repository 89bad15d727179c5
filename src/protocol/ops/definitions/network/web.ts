/** Search of the web, asked of the provider that the user has named in `prowess.web.search` and of nobody else. */
import { cutText } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { SecretName } from './http.ts';
import { text } from '../../../text/text.ts';

const baseUrl = z.url({ protocol: /^https?$/ }).max(500);

/** Value of `prowess.web.search`. A key is named, never written there. */
export const WebSearch = z.discriminatedUnion('provider', [
	z.strictObject({ provider: z.literal('off') }),
	z.strictObject({ provider: z.literal('searxng'), baseUrl }),
	z.strictObject({ provider: z.literal('brave'), secret: SecretName, baseUrl: baseUrl.optional() }),
	z.strictObject({ provider: z.literal('tavily'), secret: SecretName, baseUrl: baseUrl.optional() }),
]);
export type WebSearch = z.infer<typeof WebSearch>;

const WEB_TITLE_CHARS = 200;
const SNIPPET_CHARS = 500;

export const webSearch = defineOp({
	params: z.strictObject({
		query: z.string().trim().min(1).max(400),
		count: z.int().min(1).max(20).default(8),
	}),
	result: z.object({
		results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
	}),
	risk: 'MONITORED',
	permission: 'http',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Search the web; gives titles, addresses and snippets.',
	isRare: true,
	title: (params) => text('Search the web for {query}', { query: params.query }),
	// Cuts happen here and not before, because by now the result has been redacted.
	present: ({ results }) =>
		results
			.map(({ title, url, snippet }, index) => {
				const lines = [`${index + 1}. ${cutText(title, WEB_TITLE_CHARS)}`, url, cutText(snippet, SNIPPET_CHARS)];
				return lines.filter((line) => line !== '').join('\n   ');
			})
			.join('\n') || 'Nothing was found.',
});
