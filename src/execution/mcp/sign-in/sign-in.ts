/**
 * Sign-in at one server, for its connections: OAuth 2.1 with PKCE, as in the protocol's revision of 2025-06-18. A kept
 * sign-in is renewed without asking. A page opens only after the user's yes, and an answer counts only with our state.
 */
import type { auth, AuthProvider, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { cutText } from '../../../base/text/one-line.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { AwaitedAnswer, SignInPort } from '../../../contract/ports/ports.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { SAID_CHARS, SIGN_IN_MS } from '../limits.ts';
import type { McpUser } from '../user.ts';
import type { KeptSignIns } from './kept-sign-ins.ts';
import { OAuthClient, type OwnClient } from './oauth-client.ts';
import { checkedTarget, type HostRules, signInFetch } from './sign-in-fetch.ts';

/** Remedy to suggest where signing in at a server is not possible. */
const WITH_TOKEN =
	'If it gives you a token, store that as a secret, and name it in headers: "Authorization": "Bearer ${secret:name}"';

type Unauthorized = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];

interface SignInDeps extends HostRules {
	readonly server: string;
	readonly url: string;
	readonly port: SignInPort;
	readonly kept: KeptSignIns;
	/** The parts of the SDK, which is loaded by now. */
	readonly sdk: {
		readonly auth: typeof auth;
		readonly extractWWWAuthenticateParams: typeof extractWWWAuthenticateParams;
	};
	/** Client of the entry, with its secret read; undefined: one is registered. */
	readonly client: OwnClient | undefined;
	/** Aborts when the host closes. */
	readonly closing: AbortSignal;
	/** Has whoever uses the server act, while the time of the start stands. Rejects where nobody does. */
	withUser<T>(act: (user: McpUser) => Promise<T>): Promise<T>;
	/** Resolves with the user's yes to a page. Rejects with DENIED_BY_USER or DENIED_BY_RULE. */
	agree(page: URL, user: McpUser): Promise<void>;
}

/** The server wants a sign-in that takes the user's own acts. Thrown in the middle of a request, which is to be made again after it. */
export class SignInWanted extends ProwessError {
	/** Response with which the server refused: where it wants the sign-in, and for which rights. */
	readonly challenge: Response;

	constructor(server: string, challenge: Response) {
		super('MCP_SIGN_IN_FAILED', `you are not signed in at the MCP server ${server}`, { server });
		this.challenge = challenge;
	}
}

export class SignIn implements AuthProvider {
	readonly #deps: SignInDeps;
	#sent: string | undefined;
	#renewing: Promise<boolean> | undefined;
	#challenge: Response | undefined;

	constructor(deps: SignInDeps) {
		this.#deps = deps;
	}

	/** Response of a server that refused the kept sign-in, when that could not be renewed; undefined: none. */
	get challenge(): Response | undefined {
		return this.#challenge;
	}

	async token(): Promise<string | undefined> {
		this.#sent = (await this.#deps.kept.of(this.#deps.url)).tokens?.access_token;
		return this.#sent;
	}

	/** Resolves when the request may be made again. Rejects with SignInWanted: a request has no time for what a user does. */
	async onUnauthorized({ response }: Unauthorized): Promise<void> {
		if (this.#challenge === undefined) {
			this.#renewing ??= this.#renew(response, this.#sent).finally(() => (this.#renewing = undefined));
			if (await this.#renewing) {
				return;
			}
			this.#challenge = response;
		}
		throw new SignInWanted(this.#deps.server, this.#challenge);
	}

	/** Throws SignInWanted where the server refuses because the sign-in has too few rights, and says which it wants. */
	throwIfMoreWanted(response: Response): void {
		const { error } = this.#deps.sdk.extractWWWAuthenticateParams(response);
		if (error === 'insufficient_scope') throw new SignInWanted(this.#deps.server, response);
	}

	/** Has the user sign in. Rejects with MCP_SIGN_IN_FAILED, or as their answer says. */
	async withUser(challenge: Response): Promise<void> {
		const { kept, url, port, sdk } = this.#deps;
		const { scope, ...options } = this.#optionsFor(challenge);
		const held = (await kept.of(url)).tokens?.scope;
		// More rights than before, not others: what was granted is asked for again.
		const scopes = new Set([held, scope].flatMap((words) => words?.split(' ') ?? []));
		const wanted = scope === undefined ? options : { ...options, scope: [...scopes].join(' ') };
		this.#challenge = undefined;
		let awaited: AwaitedAnswer | undefined;
		try {
			awaited = await port.awaitAnswer();
			const client = new OAuthClient(url, awaited.redirectUrl, kept, this.#deps.client);
			await kept.change(url, { tokens: undefined });
			if ((await sdk.auth(client, wanted)) === 'AUTHORIZED' || client.page === undefined) {
				return;
			}
			const answer = await this.#visited(client.page, client.state(), awaited);
			const code = answer.get('code');
			if (code === null) {
				throw new Error(`the page answered ${answer.get('error') ?? 'without a code'}`);
			}
			const iss = answer.get('iss');
			await sdk.auth(client, { ...wanted, authorizationCode: code, ...(iss === null ? {} : { iss }) });
		} catch (error) {
			throw this.#failed(error);
		} finally {
			awaited?.dispose();
		}
	}

	/** Renews the kept sign-in without the user. Resolves with false when that is not possible. */
	async #renew(response: Response, sent: string | undefined): Promise<boolean> {
		const { kept, url, sdk } = this.#deps;
		const { tokens, redirectUrl } = await kept.of(url);
		if (tokens === undefined || tokens.access_token !== sent) {
			// Another window has signed in or renewed it, or nobody ever has.
			return tokens !== undefined;
		}
		if (tokens.refresh_token === undefined || redirectUrl === undefined) {
			return false;
		}
		try {
			return (
				(await sdk.auth(new OAuthClient(url, redirectUrl, kept, this.#deps.client), this.#optionsFor(response))) ===
				'AUTHORIZED'
			);
		} catch {
			// Said by the sign-in that follows.
			return false;
		}
	}

	#optionsFor(response: Response) {
		const { resourceMetadataUrl, scope } = this.#deps.sdk.extractWWWAuthenticateParams(response);
		return {
			serverUrl: this.#deps.url,
			fetchFn: signInFetch(this.#deps, this.#deps.closing),
			...(resourceMetadataUrl && { resourceMetadataUrl }),
			...(scope === undefined ? {} : { scope }),
		};
	}

	/** Opens a page after the user's yes, and resolves with the parameters of its answer. */
	async #visited(address: URL, state: string, awaited: AwaitedAnswer): Promise<URLSearchParams> {
		const page = checkedTarget(address.href, this.#deps.allowedHosts()).url;
		return await this.#deps.withUser(async (user) => {
			await this.#deps.agree(page, user);
			await awaited.open(page.href);
			const what = `the sign-in at the MCP server ${this.#deps.server}`;
			const limit = deriveSignal(this.#deps.closing, { what, timeoutMs: SIGN_IN_MS });
			try {
				return await user.waitForPerson(what, () => awaited.answer(state, limit.signal));
			} finally {
				limit.dispose();
			}
		});
	}

	#failed(error: unknown): ProwessError {
		if (isProwessError(error)) {
			return error;
		}
		const { server } = this.#deps;
		const message = `you are not signed in at the MCP server ${server}: ${escapeSaidWords(toErrorMessage(error))}. ${WITH_TOKEN}`;
		return new ProwessError('MCP_SIGN_IN_FAILED', message, { server }, error);
	}
}

/** Escapes what others have written: cut, on one line, with every character visible. */
function escapeSaidWords(words: string): string {
	return escapeInvisible(cutText(words, SAID_CHARS), 'line');
}
