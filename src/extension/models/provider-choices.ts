/** The kinds of providers a user can connect, as data; `connect-model.ts` asks. Nothing here knows vscode. */
import type { ProviderConfig, ProviderKind } from '../../protocol/models.ts';
import { typedBaseUrl } from './typed-base-url.ts';

export interface ProviderChoice {
	readonly kind: ProviderKind;
	/** Id of the first provider of this kind; a second one gets a number. */
	readonly id: string;
	readonly label: string;
	/** Shown in the empty input of the key. */
	readonly keyHint: string;
	readonly key: 'required' | 'optional';
	readonly asksBaseUrl: boolean;
}

export const providerChoices: readonly ProviderChoice[] = [
	{ kind: 'anthropic', id: 'anthropic', label: 'Anthropic', keyHint: 'sk-ant-…', key: 'required', asksBaseUrl: false },
	{ kind: 'openai', id: 'openai', label: 'OpenAI', keyHint: 'sk-…', key: 'required', asksBaseUrl: false },
	{ kind: 'google', id: 'google', label: 'Google', keyHint: 'AIza…', key: 'required', asksBaseUrl: false },
	{
		kind: 'openai-compatible',
		id: 'compatible',
		label: 'OpenAI-compatible',
		keyHint: '',
		key: 'optional',
		asksBaseUrl: true,
	},
];

/** The id under which a provider is saved: the one that has this address already, else the first that is free. */
export function providerId(wanted: string, baseUrl: string | undefined, saved: readonly ProviderConfig[]): string {
	const base =
		wanted
			.toLowerCase()
			.replaceAll(/[^a-z0-9]+/g, '-')
			.replaceAll(/^-+|-+$/g, '')
			.slice(0, 36) || 'provider';
	const same = saved.find(
		({ id, baseUrl: address }) => (id === base || id.startsWith(`${base}-`)) && address === baseUrl,
	);
	if (same !== undefined) {
		return same.id;
	}
	let id = base;
	for (let n = 2; saved.some((other) => other.id === id); n += 1) {
		id = `${base}-${n}`;
	}
	return id;
}

/** A sentence says what is wrong with what was typed; undefined: nothing. `sentences` are the caller's, translated. */
export function baseUrlProblem(
	typed: string,
	sentences: { readonly form: string; readonly plain: string },
): string | undefined {
	const { fault } = typedBaseUrl(typed);
	return fault === undefined ? undefined : fault === 'plain' ? sentences.plain : sentences.form;
}

/** The saved list with one provider added or replaced. */
export function withProvider(saved: readonly ProviderConfig[], provider: ProviderConfig): ProviderConfig[] {
	const known = saved.findIndex(({ id }) => id === provider.id);
	return known === -1 ? [...saved, provider] : saved.with(known, provider);
}
