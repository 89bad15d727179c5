/**
 * Sign-ins at servers that are kept so that they last. Stored apart from the user's secrets, so that no agent can ask
 * for them.
 */
import { createHash } from 'node:crypto';
import type { SignInPort } from '../../../contract/ports/ports.ts';
import * as z from '../../../protocol/text/zod.ts';

const IssuerFacts = z.looseObject({ issuer: z.string().optional() });
const SignInClient = z.looseObject({
	...IssuerFacts.shape,
	client_id: z.string(),
	client_secret: z.string().optional(),
});
const Tokens = z.looseObject({
	...IssuerFacts.shape,
	access_token: z.string(),
	token_type: z.string(),
	refresh_token: z.string().optional(),
	scope: z.string().optional(),
});

const KeptSignIn = z.object({
	/** Registration of ours at the authorization server, and the address to which it sends the browser back. */
	client: SignInClient.optional(),
	redirectUrl: z.string().optional(),
	tokens: Tokens.optional(),
});
type KeptSignIn = z.infer<typeof KeptSignIn>;

interface KeptDeps {
	readonly kept: SignInPort['kept'];
	/** A value to strike out wherever it appears. */
	addSecret(value: string): void;
}

export class KeptSignIns {
	readonly #deps: KeptDeps;

	constructor(deps: KeptDeps) {
		this.#deps = deps;
	}

	/** Empty where nothing is kept, or what is kept cannot be read any more. */
	async of(url: string): Promise<KeptSignIn> {
		const text = await this.#deps.kept.get(createSignInKey(url));
		const read = KeptSignIn.safeParse(parseKeptText(text)).data ?? {};
		this.#notice(read);
		return read;
	}

	async change(url: string, change: Partial<KeptSignIn>): Promise<void> {
		const next = { ...(await this.of(url)), ...change };
		this.#notice(next);
		await this.#deps.kept.set(createSignInKey(url), JSON.stringify(next));
	}

	/** False when there was none. */
	async forget(url: string): Promise<boolean> {
		const was = (await this.#deps.kept.get(createSignInKey(url))) !== undefined;
		await this.#deps.kept.set(createSignInKey(url), undefined);
		return was;
	}

	#notice({ client, tokens }: KeptSignIn): void {
		for (const secret of [client?.client_secret, tokens?.access_token, tokens?.refresh_token]) {
			if (secret !== undefined) this.#deps.addSecret(secret);
		}
	}
}

function createSignInKey(url: string): string {
	return `mcp-${createHash('sha256').update(url).digest('hex').slice(0, 40)}`;
}

function parseKeptText(text: string | undefined): unknown {
	try {
		return JSON.parse(text ?? '{}');
	} catch {
		return {};
	}
}
