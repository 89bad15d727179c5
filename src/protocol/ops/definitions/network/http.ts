/** Requests to other machines, sent by the host: addresses are checked, redirects are judged again, secrets go by name. */
import * as z from '../../../text/zod.ts';
import { defineOp, notForModels } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const url = z.string().min(1).max(8000);

/** Session of the caller whose cookies and headers the request uses; absent: the caller's own cookies. */
const session = z.string().min(1).max(20).optional().meta(notForModels);
const HttpHeaders = z.record(z.string().max(200), z.string().max(8000)).default({});

export const SecretName = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'expected the name of a secret: letters, digits, "_", "." and "-"');

/** Way in which a secret is sent. The value never leaves the host in any other way. */
export const HttpAuth = z.strictObject({
	secret: SecretName,
	/**
	 * `basic` needs `user`; `header` sends the bare value in the header `name`, `query` as the parameter `name` of the
	 * address, `body` as the field `name` of a form or an object of JSON. No record holds that parameter or field.
	 */
	scheme: z.enum(['bearer', 'basic', 'header', 'query', 'body']).default('bearer'),
	user: z.string().max(200).optional(),
	name: z.string().max(100).optional(),
	/** Part of the secret to send: a field of an object of JSON, else the number, from 1, of a text between colons. */
	part: z.string().min(1).max(100).optional().meta(notForModels),
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
	/**
	 * A redirect that was not followed: it leads to a host that is not allowed, away from https, or would have another
	 * server change something. Ask for it as a request of its own.
	 */
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
	params: z.strictObject({ url, raw: z.boolean().default(false), session }),
	result: HttpResponse,
	risk: 'MONITORED',
	permission: 'http',
	effect: 'read',
	timeoutMs: 60_000,
	aliases: ['http.session_get'],
	tool: 'Fetch a web page, as Markdown unless raw, or an API.',
	title: (params) => text('Fetch {url}', { url: params.url }),
	present: presentResponse,
});

export const httpRequest = defineOp({
	params: z.strictObject({
		method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
		url,
		headers: HttpHeaders,
		body: z.string().max(5_000_000).optional(),
		auth: HttpAuth.optional(),
		/** Secrets beside the first, such as the second of two headers. */
		moreAuth: z.array(HttpAuth).max(3).default([]).meta(notForModels),
		session,
	}),
	result: HttpResponse,
	risk: 'CONTROLLED',
	permission: 'http',
	effect: 'write',
	timeoutMs: 120_000,
	aliases: ['http.session_request'],
	tool: 'Send an HTTP request with any method, headers and body; auth names a stored secret.',
	isRare: true,
	title: (params) => text('{method} {url}', { method: params.method, url: params.url }),
	present: presentResponse,
});

export const cookieGet = defineOp({
	params: z.strictObject({ url, session }),
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
	params: z.strictObject({ url: url.optional(), session }),
	result: z.object({ removed: z.int().nonnegative() }),
	risk: 'SAFE',
	permission: 'http',
	effect: 'write',
	timeoutMs: 5_000,
	title: ({ url }) => (url === undefined ? text('Forget cookies') : text('Forget cookies of {url}', { url })),
	present: (r) => `Forgot ${r.removed} cookies.`,
});

/** A session has cookies of its own, which the host keeps until the session or the execution ends. */
export const httpSessionOpen = defineOp({
	/** `headers`: of each request of the session that does not set them itself. */
	params: z.strictObject({ headers: HttpHeaders }),
	result: z.object({ session: z.string() }),
	risk: 'SAFE',
	permission: 'http',
	effect: 'write',
	timeoutMs: 5_000,
	aliases: ['http.session_open'],
	callers: ['execution'],
	title: () => text('Open an HTTP session'),
	present: (r) => `Opened the session ${r.session}.`,
});

export const httpSessionClose = defineOp({
	params: z.strictObject({ session: z.string().min(1).max(20) }),
	/** Cookies that were forgotten with it. */
	result: z.object({ removed: z.int().nonnegative() }),
	risk: 'SAFE',
	permission: 'http',
	effect: 'write',
	timeoutMs: 5_000,
	aliases: ['http.session_close'],
	callers: ['execution'],
	title: () => text('Close an HTTP session'),
	present: (r) => `Closed the session, which had ${r.removed} cookies.`,
});

/** Lends the caller's requests the cookies that the user stored for a site. The caller never sees their values. */
export const cookieResolve = defineOp({
	params: z.strictObject({
		url: url.optional(),
		/** Instead of `url`: `example.org` is `https://example.org/`. */
		domain: z.string().min(1).max(253).optional(),
		/** Which of several accounts at the site; absent: the only one. */
		account: z
			.string()
			.regex(/^[A-Za-z0-9.-]{1,40}$/, 'expected letters, digits, "." and "-", at most 40')
			.optional(),
		session,
	}),
	result: z.object({
		host: z.string(),
		/** `secret`: what the user stored for the site; `jar`: only what the site itself has set in this run. */
		source: z.enum(['secret', 'jar']),
		secret: z.string().optional(),
		/** Names of the cookies that requests to the site now carry. */
		names: z.array(z.string()),
	}),
	risk: 'CONTROLLED',
	permission: 'http',
	effect: 'write',
	timeoutMs: 30_000,
	callers: ['execution'],
	title: ({ url, domain }) => text('Use the stored cookies of {site}', { site: domain ?? url ?? '' }),
	present: (r) => `Cookies for ${r.host} from the ${r.source}: ${r.names.join(', ')}`,
});
