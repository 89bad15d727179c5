/**
 * Kinds of providers that a user can connect, as data; `connect-model.ts` asks the user. This file does not depend on
 * vscode.
 */
import type { ProviderConfig, ProviderKind } from '../../../protocol/turn/models.ts';
import { typedBaseUrl } from './typed-base-url.ts';

export interface ProviderChoice {
	readonly kind: ProviderKind;
	/** Id of the first provider of this kind; a second one gets a number. */
	readonly id: string;
	readonly label: string;
	/** Shown in the empty input of the key. */
	readonly keyHint: string;
	readonly key: 'required' | 'optional';
	/**
	 * Address of this provider, because many providers share its kind. Absent: the address of the kind, or the user is
	 * asked.
	 */
	readonly baseUrl?: string;
	/** Example of the address that is asked for; absent: none is. */
	readonly urlHint?: string;
	/** Set when the user names its models, because the models that it lists are not those that answer. */
	readonly namesModels?: true;
}

/** A provider by name that speaks the form of OpenAI. */
function createHostedProvider(id: string, label: string, baseUrl: string, keyHint: string): ProviderChoice {
	return { kind: 'openai-compatible', id, label, keyHint, key: 'required', baseUrl };
}

/** A model server of this machine, at its usual address. */
function createLocalProvider(id: string, label: string, urlHint: string): ProviderChoice {
	return { kind: 'openai-compatible', id, label, keyHint: '', key: 'optional', urlHint };
}

export const providerChoices: readonly ProviderChoice[] = [
	{ kind: 'anthropic', id: 'anthropic', label: 'Anthropic', keyHint: 'sk-ant-…', key: 'required' },
	{ kind: 'openai', id: 'openai', label: 'OpenAI', keyHint: 'sk-…', key: 'required' },
	{ kind: 'google', id: 'google', label: 'Google', keyHint: 'AIza…', key: 'required' },
	createHostedProvider('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'sk-or-…'),
	createHostedProvider('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'sk-…'),
	createHostedProvider('mistral', 'Mistral', 'https://api.mistral.ai/v1', ''),
	createHostedProvider('groq', 'Groq', 'https://api.groq.com/openai/v1', 'gsk_…'),
	createHostedProvider('xai', 'xAI', 'https://api.x.ai/v1', 'xai-…'),
	createHostedProvider('together', 'Together AI', 'https://api.together.xyz/v1', ''),
	{
		kind: 'openai-compatible',
		id: 'azure',
		label: 'Azure OpenAI',
		keyHint: '',
		key: 'required',
		urlHint: 'https://NAME.openai.azure.com/openai/v1',
		namesModels: true,
	},
	createLocalProvider('ollama', 'Ollama', 'http://127.0.0.1:11434/v1'),
	createLocalProvider('lm-studio', 'LM Studio', 'http://127.0.0.1:1234/v1'),
	createLocalProvider('compatible', 'OpenAI-compatible', 'http://127.0.0.1:1234/v1'),
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
