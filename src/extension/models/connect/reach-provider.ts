/** Asks for the address and the key of a provider until it lists its models. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { isLoopbackUrl } from '../../../protocol/base-url.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { modelRequests, type ProviderConfig } from '../../../protocol/turn/models.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { explainError } from '../../notices/user-message.ts';
import { enterChecked, type Entered } from './checked-input.ts';
import type { ConnectPorts, Reached } from './connect-ports.ts';
import { baseUrlProblem, type ProviderChoice, providerId } from './provider-choices.ts';
import { isTypedUnencrypted, typedBaseUrl } from './typed-base-url.ts';

/** Asks for what the provider needs until it answers; undefined: the user gave up. */
export async function reachProvider(
	ports: ConnectPorts,
	choice: ProviderChoice,
): Promise<Reached | 'back' | undefined> {
	if (choice.urlHint === undefined) ports.settings.organisation?.checkProvider(choice);
	for (;;) {
		const address = choice.urlHint === undefined ? undefined : await askAddress(ports, choice, choice.urlHint);
		if (address !== undefined && address.kind !== 'entered') {
			return address.kind === 'back' ? 'back' : undefined;
		}
		const answered = address?.value;
		const { models } = answered ?? {};
		const baseUrl = answered?.baseUrl ?? choice.baseUrl;
		if (baseUrl !== undefined && models !== undefined && isLoopbackUrl(new URL(baseUrl))) {
			return { provider: providerAt(ports, choice.id, baseUrl, choice.kind), key: null, models };
		}
		const provider = providerAt(ports, choice.id, baseUrl, choice.kind);
		const keyed = await askKey(ports, choice, provider, answered?.isListless === true);
		if (keyed.kind === 'entered') {
			return keyed.value;
		}
		if (keyed.kind === 'closed') {
			return undefined;
		}
		if (address === undefined) {
			return 'back';
		}
	}
}

export function providerAt(
	{ settings }: ConnectPorts,
	wanted: string,
	baseUrl: string | undefined,
	kind: ProviderConfig['kind'] = 'openai-compatible',
): ProviderConfig {
	const id = providerId(wanted, baseUrl, settings.current['prowess.providers']);
	return { id, kind, models: [], ...(baseUrl === undefined ? {} : { baseUrl }) };
}

/** `models`: those that it lists without a key. `isListless`: it answers, but lists none. */
interface ProviderAddress {
	readonly baseUrl: string;
	readonly models?: readonly string[];
	readonly isListless?: true;
}

function askAddress(ports: ConnectPorts, choice: ProviderChoice, urlHint: string): Promise<Entered<ProviderAddress>> {
	let listless: string | undefined;
	return enterChecked<ProviderAddress>({
		title: vscode.l10n.t('Connect {0}', choice.label),
		prompt: vscode.l10n.t('Base URL, for example {0}', urlHint),
		placeholder: urlHint,
		validate: (text) =>
			baseUrlProblem(text, {
				form: vscode.l10n.t('Enter a URL such as https://host/v1, without a user name or password.'),
				plain: vscode.l10n.t('Use https. Over http, others on the network could read your key and your code.'),
			}) ?? (isTypedUnencrypted(text) ? createPlainHttpWarning() : undefined),
		async attempt(text, signal) {
			const typed = typedBaseUrl(text);
			if (typed.fault !== undefined) {
				throw new Error('an address was accepted that cannot be used');
			}
			const { baseUrl } = typed;
			// Where people leave `/v1` away from a longer address, too.
			const tried = /\/v\d[\w.]*$/.test(baseUrl) ? [baseUrl] : [baseUrl, `${baseUrl}/v1`];
			for (const each of tried) {
				try {
					return {
						baseUrl: each,
						models: await listProviderModels(ports, providerAt(ports, choice.id, each), null, signal),
					};
				} catch (error) {
					if (isProwessError(error) && error.code === 'PROVIDER_AUTH') {
						return { baseUrl: each };
					}
					if (!isWithoutList(error)) {
						throw error;
					}
				}
			}
			if (listless === text) {
				return { baseUrl, isListless: true };
			}
			listless = text;
			throw new ProwessError(
				'INVALID_STATE',
				vscode.l10n.t(
					'No models are listed at {0}. Correct the URL, or press Enter again to name a model yourself.',
					baseUrl,
				),
			);
		},
		sentence: explainError,
	});
}

function askKey(
	ports: ConnectPorts,
	{ label, keyHint, key: need }: ProviderChoice,
	provider: ProviderConfig,
	isListless: boolean,
): Promise<Entered<Reached>> {
	return enterChecked<Reached>({
		title: vscode.l10n.t('Connect {0}', label),
		prompt:
			need === 'required'
				? vscode.l10n.t("VS Code's secret store keeps the key.")
				: vscode.l10n.t('API key (leave empty if none is needed)'),
		placeholder: keyHint,
		isPassword: true,
		validate: (text) => (need === 'required' && text.trim() === '' ? vscode.l10n.t('Paste the API key.') : undefined),
		async attempt(text, signal) {
			const key = text.trim() === '' ? null : text.trim();
			if (key !== null) {
				ports.keys.notice(key);
			}
			return { provider, key, models: isListless ? [] : await listProviderModels(ports, provider, key, signal) };
		},
		sentence: explainError,
	});
}

/** Models that the provider lists. */
async function listProviderModels(
	ports: ConnectPorts,
	provider: ProviderConfig,
	key: string | null,
	signal: AbortSignal,
): Promise<readonly string[]> {
	ports.settings.organisation?.checkProvider(provider);
	const limit = deriveSignal(signal, {
		what: `asking ${provider.id} for its models`,
		timeoutMs: extensionLimits.checkProviderMs,
	});
	try {
		return (await (await ports.server()).call(modelRequests.check, { provider, key }, limit.signal)).models;
	} finally {
		limit.dispose();
	}
}

/** Something answers there, but with no list of models. */
function isWithoutList(error: unknown): boolean {
	if (!isProwessError(error) || error.code !== 'PROVIDER_ERROR') {
		return false;
	}
	const { status } = error.facts;
	return status === undefined || status === 404 || status === 405;
}

/** Warns that the address is unencrypted; a model server in the user's own network may be used all the same. */
function createPlainHttpWarning(): vscode.InputBoxValidationMessage {
	return {
		message: vscode.l10n.t('Your key and your code will travel unencrypted through this network.'),
		severity: vscode.InputBoxValidationSeverity.Warning,
	};
}
