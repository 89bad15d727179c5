/** Signing in from the editor: the browser comes back through the editor's own links, and tokens lie in its secret store. */
import * as vscode from 'vscode';
import { orAborted } from '../../base/time/bounded-wait.ts';
import type { SignInPort } from '../../contract/ports/ports.ts';
import { SIGN_IN_PATH } from './parse-link.ts';

const SIGN_IN_KEY_PREFIX = 'prowess.signIn.';

export class EditorSignIn implements SignInPort {
	readonly kept: SignInPort['kept'];
	readonly #extensionId: string;
	readonly #waiting = new Map<string, (query: URLSearchParams) => void>();

	constructor(secrets: vscode.SecretStorage, extensionId: string) {
		this.#extensionId = extensionId;
		this.kept = {
			get: async (key) => await secrets.get(SIGN_IN_KEY_PREFIX + key),
			set: async (key, value) =>
				await (value === undefined
					? secrets.delete(SIGN_IN_KEY_PREFIX + key)
					: secrets.store(SIGN_IN_KEY_PREFIX + key, value)),
		};
	}

	async awaitAnswer() {
		const own = vscode.Uri.parse(`${vscode.env.uriScheme}://${this.#extensionId}${SIGN_IN_PATH}`);
		// In a browser or a remote window this is another address, which leads here.
		const redirect = await vscode.env.asExternalUri(own);
		const states: string[] = [];
		return {
			redirectUrl: redirect.toString(true),
			open: async (url: string) => {
				// Passes the plain text: from a `Uri` the editor would write an address in which `%26` has become `&`.
				await vscode.env.openExternal(url as unknown as vscode.Uri);
			},
			answer: async (state: string, signal: AbortSignal) => {
				states.push(state);
				const visit = new Promise<URLSearchParams>((resolve) => this.#waiting.set(state, resolve));
				return await orAborted(visit, signal);
			},
			dispose: () => {
				for (const state of states) this.#waiting.delete(state);
			},
		};
	}

	/** A link came back. False when nobody waits for it. */
	take(query: URLSearchParams): boolean {
		const take = this.#waiting.get(query.get('state') ?? '');
		take?.(query);
		return take !== undefined;
	}
}
