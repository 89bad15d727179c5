/** Requests to other machines, sent by the host: addresses are checked, redirects are judged again, secrets go by name. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const url = z.string().min(1).max(8000);

export const SecretName = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'expected the name of a secret: letters, digits, "_", "." and "-"');

/** Way in which a secret is sent. The value never leaves the host in any other way. */
export const HttpAuth = z.strictObject({
	secret: SecretName,
	/** `basic` needs `user`; `header` sends the bare value in the header `name`. */
	scheme: z.enum(['bearer', 'basic', 'header']).default('bearer'),
	user: z.string().max(200).optional(),
	name: z.string().max(100).optional(),
});
export type HttpAuth = z.infer<typeof HttpAuth>;

export const HttpResponse = z.object({
	/** Where it came from, after redirects. */
	url: z.string(),
	status: z.int(),
	/** Without cookies: those go to the jar of the caller. */
	headers: z.record(z.string(), z.string()),
	body: z.string(),
	encoding: z.enum(['text', 'base64']),
	/** The body is the page as Markdown, not its source. */
	isMarkdown: z.literal(true).optional(),
	/** A redirect that was not followed because it leads to a host that is not allowed: ask for it as a request of its own. */
	leadsTo: z.string().optional(),
});
export type HttpResponse = z.infer<typeof HttpResponse>;

function presentResponse(r: HttpResponse): string {
	const head = `HTTP ${r.status} ${r.headers['content-type'] ?? ''}`.trim();
	if (r.leadsTo !== undefined) {
		return `${head}\n[leads to ${r.leadsTo}, which was not asked for: request that address itself]`;
	}
	return `${head}\n${r.encoding === 'text' ? r.body : `[${Math.floor((r.body.length * 3) / 4)} bytes that are not text]`}`;
}

export const httpGet = defineOp({
	/** A model gets a page as Markdown unless it asks for the source; a capability always gets the source. */
	params: z.strictObject({ url, raw: z.boolean().default(false) }),
	result: HttpResponse,
	risk: 'MONITORED',
	permission: 'http',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Fetch a web page, as Markdown unless raw, or an API.',
	title: (params) => text('Fetch {url}', { url: params.url }),
	present: presentResponse,
});

export const httpRequest = defineOp({
	params: z.strictObject({
		method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
		url,
		headers: z.record(z.string().max(200), z.string().max(8000)).default({}),
		body: z.string().max(5_000_000).optional(),
		auth: HttpAuth.optional(),
	}),
	result: HttpResponse,
	risk: 'CONTROLLED',
	permission: 'http',
	effect: 'write',
	timeoutMs: 120_000,
	tool: 'Send an HTTP request with any method, headers and body; auth names a stored secret.',
	isRare: true,
	title: (params) => text('{method} {url}', { method: params.method, url: params.url }),
	present: presentResponse,
});

export const cookieGet = defineOp({
	params: z.strictObject({ url }),
	result: z.object({ cookies: z.array(z.object({ name: z.string(), value: z.string() })) }),
	risk: 'MONITORED',
	permission: 'http',
	effect: 'read',
	timeoutMs: 5_000,
	// A cookie is as good as a key.
	callers: ['execution'],
	title: (params) => text('Read cookies for {url}', { url: params.url }),
	present: (r) => `Cookies: ${r.cookies.map(({ name }) => name).join(', ') || 'none'}`,
});

export const cookieClear = defineOp({
	params: z.strictObject({ url: url.optional() }),
	result: z.object({ removed: z.int().nonnegative() }),
	risk: 'SAFE',
	permission: 'http',
	effect: 'write',
	timeoutMs: 5_000,
	title: ({ url }) => (url === undefined ? text('Forget cookies') : text('Forget cookies of {url}', { url })),
	present: (r) => `Forgot ${r.removed} cookies.`,
});
