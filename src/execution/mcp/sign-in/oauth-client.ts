/** Answers what the SDK asks while it signs in: who we are, what is kept, and the facts of this one attempt. */
import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { KeptSignIns } from './kept-sign-ins.ts';

type Stored = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;
type OAuthClientInfo = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;

export interface OwnClient {
	readonly client_id: string;
	readonly client_secret?: string;
}

export class OAuthClient implements OAuthClientProvider {
	readonly redirectUrl: string;
	/** Unguessable: the answer has to bring it back. */
	readonly #state = randomBytes(32).toString('base64url');
	readonly #url: string;
	readonly #kept: KeptSignIns;
	readonly #own: OwnClient | undefined;
	#verifier = '';
	#discovered: OAuthDiscoveryState | undefined;
	/** Page on which the user signs in; undefined as long as none is needed. */
	page: URL | undefined;

	/** `own`: a client that the user has registered; undefined: one is registered. */
	constructor(url: string, redirectUrl: string, kept: KeptSignIns, own: OwnClient | undefined) {
		this.#own = own;
		this.#url = url;
		this.redirectUrl = redirectUrl;
		this.#kept = kept;
	}

	get clientMetadata(): OAuthClientProvider['clientMetadata'] {
		return {
			client_name: 'Prowess',
			redirect_uris: [this.redirectUrl],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			// A program on the user's machine can keep no secret of its own; PKCE stands in for it.
			token_endpoint_auth_method: 'none',
		};
	}

	state(): string {
		return this.#state;
	}

	/**
	 * Absent where we were registered with another address: then we register anew. A client of the user belongs to the
	 * authorization server that is asked with it first, so that its secret goes to no other.
	 */
	async clientInformation(asked: { readonly issuer?: string } = {}): Promise<OAuthClientInfo | undefined> {
		const { client, redirectUrl } = await this.#kept.of(this.#url);
		if (this.#own !== undefined) {
			const { client_id } = this.#own;
			const issuer = client?.client_id === client_id ? client.issuer : asked.issuer;
			await this.#kept.change(this.#url, { client: { client_id, ...(issuer && { issuer }) } });
			return { ...this.#own, ...(issuer && { issuer }) };
		}
		return redirectUrl === this.redirectUrl ? (client as OAuthClientInfo | undefined) : undefined;
	}

	async saveClientInformation(client: OAuthClientInfo): Promise<void> {
		if (this.#own !== undefined) {
			throw new Error(
				'the client of the entry was used at another authorization server before; sign out to use it here',
			);
		}
		await this.#kept.change(this.#url, { client, redirectUrl: this.redirectUrl, tokens: undefined });
	}

	async tokens(): Promise<Stored | undefined> {
		return (await this.#kept.of(this.#url)).tokens as Stored | undefined;
	}

	async saveTokens(tokens: Stored): Promise<void> {
		await this.#kept.change(this.#url, { tokens, ...(this.#own && { redirectUrl: this.redirectUrl }) });
	}

	redirectToAuthorization(page: URL): void {
		this.page = page;
	}

	saveCodeVerifier(verifier: string): void {
		this.#verifier = verifier;
	}

	codeVerifier(): string {
		return this.#verifier;
	}

	saveDiscoveryState(discovered: OAuthDiscoveryState): void {
		this.#discovered = discovered;
	}

	discoveryState(): OAuthDiscoveryState | undefined {
		return this.#discovered;
	}

	async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
		if (scope === 'all' || scope === 'client') {
			await this.#kept.change(this.#url, { client: undefined, redirectUrl: undefined, tokens: undefined });
		} else if (scope === 'tokens') {
			await this.#kept.change(this.#url, { tokens: undefined });
		} else if (scope === 'discovery') {
			this.#discovered = undefined;
		}
	}
}
