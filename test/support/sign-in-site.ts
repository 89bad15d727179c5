/**
 * MCP server that requires a sign-in, with its authorization server, on one port of this machine. Both can be told to
 * misbehave.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { httpSite, type HttpSite, type Received } from './http-site.ts';

/** Faults of the site; an absent member means no fault. `at` is the site's own address. */
export interface Misbehaviour {
	/** Members of the two documents about it, in place of its own. */
	readonly resource?: (at: string) => object;
	readonly server?: (at: string) => object;
	/** Query with which the page sends the browser back, in place of its own. */
	readonly comesBack?: (query: Record<string, string>) => Record<string, string>;
	/** Lets everybody connect: only a call wants the sign-in. */
	readonly isOpen?: boolean;
	/** Says nowhere how to sign in. */
	readonly isSilent?: boolean;
	/** Answers each request for tokens so. */
	readonly tokens?: (form: URLSearchParams) => { readonly status: number; readonly body: object } | undefined;
}

export interface SignInSite {
	readonly site: HttpSite;
	readonly url: string;
	/** Tokens that it takes now: what it has issued, as long as nobody takes it out. */
	readonly taken: Set<string>;
	/** Requests for tokens. */
	readonly forms: URLSearchParams[];
	close(): Promise<void>;
}

export async function signInSite(wrong: Misbehaviour = {}): Promise<SignInSite> {
	const taken = new Set<string>();
	const forms: URLSearchParams[] = [];
	const challenges = new Map<string, string>();
	const site = await httpSite((request, response) => {
		const at = `http://127.0.0.1:${site.port}`;
		const { pathname, searchParams } = new URL(request.path, at);
		if (wrong.isSilent === true && pathname !== '/mcp') {
			return json(response, 404, {});
		}
		switch (pathname) {
			case '/mcp':
				return taken.has(bearerOf(request)) || (wrong.isOpen === true && !request.body.includes('tools/call'))
					? answerMcp(request, response)
					: refuse(response, at);
			case '/.well-known/oauth-protected-resource/mcp':
				return json(response, 200, {
					resource: `${at}/mcp`,
					authorization_servers: [at],
					...wrong.resource?.(at),
				});
			case '/.well-known/oauth-authorization-server':
				return json(response, 200, {
					issuer: at,
					authorization_endpoint: `${at}/authorize`,
					token_endpoint: `${at}/token`,
					registration_endpoint: `${at}/register`,
					response_types_supported: ['code'],
					code_challenge_methods_supported: ['S256'],
					authorization_response_iss_parameter_supported: true,
					...wrong.server?.(at),
				});
			case '/register':
				return json(response, 201, { ...(JSON.parse(request.body) as object), client_id: 'client-1' });
			case '/authorize': {
				const code = randomBytes(8).toString('hex');
				challenges.set(code, searchParams.get('code_challenge') ?? '');
				const own = { code, state: searchParams.get('state') ?? '', iss: at };
				const back = new URL(searchParams.get('redirect_uri') ?? '');
				for (const [name, value] of Object.entries(wrong.comesBack?.(own) ?? own)) back.searchParams.set(name, value);
				return void response.writeHead(302, { location: back.href }).end();
			}
			case '/token': {
				const form = new URLSearchParams(request.body);
				forms.push(form);
				const { status, body } = wrong.tokens?.(form) ?? issued(form);
				return json(response, status, body);
			}
			default:
				return json(response, 404, {});
		}
	});

	const issued = (form: URLSearchParams) => {
		const verifier = createHash('sha256')
			.update(form.get('code_verifier') ?? '')
			.digest('base64url');
		const isOurs = form.get('grant_type') === 'refresh_token' || challenges.get(form.get('code') ?? '') === verifier;
		if (!isOurs) {
			return { status: 400, body: { error: 'invalid_grant', error_description: 'another verifier' } };
		}
		const access = `canary-access-${randomBytes(8).toString('hex')}`;
		taken.add(access);
		const refresh = `canary-refresh-${randomBytes(8).toString('hex')}`;
		return {
			status: 200,
			body: { access_token: access, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh },
		};
	};
	return { site, url: `http://127.0.0.1:${site.port}/mcp`, taken, forms, close: () => site.close() };
}

function bearerOf({ headers }: Received): string {
	return String(headers['authorization'] ?? '').replace('Bearer ', '');
}

function refuse(response: ServerResponse, at: string): void {
	const where = `Bearer resource_metadata="${at}/.well-known/oauth-protected-resource/mcp"`;
	response.writeHead(401, { 'www-authenticate': where }).end();
}

function answerMcp(request: Received, response: ServerResponse): void {
	if (request.body === '') {
		return void response.writeHead(202).end();
	}
	const { id, method } = JSON.parse(request.body) as { id?: number; method: string };
	const results: Record<string, object> = {
		initialize: {
			protocolVersion: '2025-11-25',
			capabilities: { tools: {} },
			serverInfo: { name: 'signed', version: '1' },
		},
		'tools/list': { tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }] },
		'tools/call': { content: [{ type: 'text', text: 'as you' }] },
	};
	if (id === undefined) {
		return void response.writeHead(202).end();
	}
	const result = results[method];
	json(response, 200, {
		jsonrpc: '2.0',
		id,
		...(result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }),
	});
}

function json(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
