/**
 * Connect a Model: choose what is there (a local model server, the editor's models) or a provider, give its key, choose a
 * model, and see it call a tool. Nothing is saved before the provider has answered; the key goes to the secret store only.
 */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { LogPort } from '../../capability-host/contract/ports.ts';
import { isLoopback } from '../../protocol/base-url.ts';
import { isProwessError, ProwessError } from '../../protocol/errors.ts';
import { modelRequests, type ProviderConfig } from '../../protocol/models.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { limits } from '../limits.ts';
import { ask, fail, withProgress } from '../notices/notices.ts';
import { isCancellation } from '../server/signals.ts';
import type { EditorSettings } from '../ports/settings-port.ts';
import { sentenceOf } from '../notices/user-message.ts';
import { enterChecked, type Entered } from './checked-input.ts';
import { listEditorModels } from './editor-models.ts';
import { baseUrlProblem, type ProviderChoice, providerChoices, providerId, withProvider } from './provider-choices.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { isTypedUnencrypted, typedBaseUrl } from './typed-base-url.ts';

export interface ConnectPorts {
	readonly settings: EditorSettings;
	readonly keys: ProviderKeys;
	readonly log: LogPort;
	server(): Promise<Peer>;
}

type Source =
	| { readonly kind: 'local'; readonly name: string; readonly baseUrl: string; readonly models: readonly string[] }
	| { readonly kind: 'editor' }
	| { readonly kind: 'provider'; readonly choice: ProviderChoice };

type SourceItem = vscode.QuickPickItem & { readonly source?: Source };

/** Who answers, and what it lists. */
interface Reached {
	readonly provider: ProviderConfig;
	readonly key: string | null;
	readonly models: readonly string[];
}

/** Resolves with the id of the model that is now used; undefined when the user gave up. */
export async function connectModel(ports: ConnectPorts): Promise<string | undefined> {
	const items = await withProgress(vscode.l10n.t('Looking for models on this machine…'), (signal) =>
		sourceItems(ports, signal),
	);
	for (;;) {
		const picked = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t('Connect a Model'),
			placeHolder: vscode.l10n.t('Choose where the model runs'),
			matchOnDescription: true,
			ignoreFocusOut: true,
		});
		const { source } = picked ?? {};
		switch (source?.kind) {
			case undefined:
				return undefined;
			case 'editor':
				return chooseEditorModel(ports);
			case 'local': {
				const provider = providerAt(ports, source.name, source.baseUrl);
				return chooseModel(ports, { provider, key: null, models: source.models }, false);
			}
			case 'provider': {
				const reached = await reach(ports, source.choice);
				if (reached !== 'back') {
					return reached === undefined ? undefined : chooseModel(ports, reached, source.choice.namesModels === true);
				}
			}
		}
	}
}

async function sourceItems(ports: ConnectPorts, signal: AbortSignal): Promise<SourceItem[]> {
	const limit = deriveSignal(signal, {
		what: 'looking for models',
		timeoutMs: limits.discoverModelsMs,
	});
	try {
		const [local, editor] = await Promise.all([
			ports
				.server()
				.then((server) => server.call(modelRequests.discover, {}, limit.signal))
				.catch((error: unknown) => {
					signal.throwIfAborted();
					ports.log.info(`model/discover: ${String(error)}`);
					return { looked: [], found: [] };
				}),
			listEditorModels().catch(() => []),
		]);
		const here: SourceItem[] = [
			...local.found.map(({ name, baseUrl, models }) => ({
				label: `$(device-desktop) ${name}`,
				description: vscode.l10n.t('on this machine, models: {0}', models.length),
				detail: models.slice(0, 5).join(', '),
				source: { kind: 'local', name, baseUrl, models } as const,
			})),
			...(editor.length === 0
				? []
				: [
						{
							label: `$(vscode) ${vscode.l10n.t('Editor models')}`,
							description: vscode.l10n.t('{0} models, no key needed', editor.length),
							detail: editor
								.slice(0, 5)
								.map(({ name }) => name)
								.join(', '),
							source: { kind: 'editor' } as const,
						},
					]),
		];
		const separated = (label: string): SourceItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
		const others = providerChoices.filter(({ label }) => local.found.every(({ name }) => name !== label));
		return [
			...(here.length === 0 ? [] : [separated(vscode.l10n.t('found')), ...here]),
			separated(vscode.l10n.t('providers')),
			...others.map((choice) => ({
				label: `$(cloud) ${choice.label}`,
				description: describe(choice, local.looked),
				source: { kind: 'provider', choice } as const,
			})),
		];
	} finally {
		limit.dispose();
	}
}

function describe({ label, key }: ProviderChoice, looked: readonly { name: string; baseUrl: string }[]): string {
	const place = looked.find(({ name }) => name === label);
	if (place !== undefined) {
		return vscode.l10n.t('nothing answers at {0}', new URL(place.baseUrl).host);
	}
	return key === 'required' ? vscode.l10n.t('with a key') : vscode.l10n.t('any OpenAI-compatible server, by URL');
}

/** Asks for what the provider needs until it answers; undefined: the user gave up. */
async function reach(ports: ConnectPorts, choice: ProviderChoice): Promise<Reached | 'back' | undefined> {
	for (;;) {
		const address = choice.urlHint === undefined ? undefined : await askAddress(ports, choice, choice.urlHint);
		if (address !== undefined && address.kind !== 'entered') {
			return address.kind === 'back' ? 'back' : undefined;
		}
		const answered = address?.value;
		const { models } = answered ?? {};
		const baseUrl = answered?.baseUrl ?? choice.baseUrl;
		if (baseUrl !== undefined && models !== undefined && isLoopback(new URL(baseUrl))) {
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

function providerAt(
	{ settings }: ConnectPorts,
	wanted: string,
	baseUrl: string | undefined,
	kind: ProviderConfig['kind'] = 'openai-compatible',
): ProviderConfig {
	const id = providerId(wanted, baseUrl, settings.current['prowess.providers']);
	return { id, kind, models: [], ...(baseUrl === undefined ? {} : { baseUrl }) };
}

/** `models`: those that it lists without a key. `isListless`: it answers, but lists none. */
interface Address {
	readonly baseUrl: string;
	readonly models?: readonly string[];
	readonly isListless?: true;
}

function askAddress(ports: ConnectPorts, choice: ProviderChoice, urlHint: string): Promise<Entered<Address>> {
	let listless: string | undefined;
	return enterChecked<Address>({
		title: vscode.l10n.t('Connect {0}', choice.label),
		prompt: vscode.l10n.t('Base URL, for example {0}', urlHint),
		placeholder: urlHint,
		validate: (text) =>
			baseUrlProblem(text, {
				form: vscode.l10n.t('Enter a URL such as https://host/v1, without a user name or password.'),
				plain: vscode.l10n.t('Use https. Over http, others on the network could read your key and your code.'),
			}) ?? (isTypedUnencrypted(text) ? unencrypted() : undefined),
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
					return { baseUrl: each, models: await check(ports, providerAt(ports, choice.id, each), null, signal) };
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
		sentence: sentenceOf,
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
			return { provider, key, models: isListless ? [] : await check(ports, provider, key, signal) };
		},
		sentence: sentenceOf,
	});
}

/** Models that the provider lists. */
async function check(
	ports: ConnectPorts,
	provider: ProviderConfig,
	key: string | null,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const limit = deriveSignal(signal, {
		what: `asking ${provider.id} for its models`,
		timeoutMs: limits.checkProviderMs,
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

/** Lets the user choose a model, sees whether it calls a tool, and saves the provider with its key. */
async function chooseModel(
	ports: ConnectPorts,
	{ provider, key, models }: Reached,
	namesModels: boolean,
): Promise<string | undefined> {
	for (;;) {
		const model = await chooseName(namesModels ? [] : models);
		if (model === undefined) {
			return undefined;
		}
		if (await isWanted(ports, provider, key, model)) {
			if (key !== null) {
				await ports.keys.store(provider.id, key);
			}
			const isListed = !namesModels && models.includes(model);
			const saved = isListed ? provider : { ...provider, models: [model] };
			await ports.settings.set('prowess.providers', withProvider(ports.settings.current['prowess.providers'], saved));
			return use(ports, `${provider.id}/${model}`);
		}
	}
}

/** Has the model call a tool; where it does not, the user says whether to use it. To cancel the trial is to use the model. */
async function isWanted(
	ports: ConnectPorts,
	provider: ProviderConfig,
	key: string | null,
	model: string,
): Promise<boolean> {
	let why: string;
	try {
		const tried = await withProgress(vscode.l10n.t('Trying {0}: can it call a tool?', model), async (signal) => {
			const limit = deriveSignal(signal, { what: `trying ${model}`, timeoutMs: limits.tryModelMs });
			try {
				return await (await ports.server()).call(modelRequests.tryTool, { provider, key, model }, limit.signal);
			} finally {
				limit.dispose();
			}
		});
		if (tried.calls) {
			return true;
		}
		why = vscode.l10n.t(
			'{0} answers, but did not call the tool it was told to call. Such a model can only talk.',
			model,
		);
	} catch (error) {
		if (isCancellation(error)) {
			return true;
		}
		ports.log.warn(`model/tryTool: ${String(error)}`);
		why = vscode.l10n.t('{0} could not be tried. {1}', model, sentenceOf(error));
	}
	const anyway = vscode.l10n.t('Use Anyway');
	return (await ask(why, [], anyway, vscode.l10n.t('Choose Another'))) === anyway;
}

async function chooseEditorModel(ports: ConnectPorts): Promise<string | undefined> {
	const models = await listEditorModels();
	const picked = await vscode.window.showQuickPick(
		models.map(({ id, name }) => ({ label: name, description: id, id })),
		{ title: vscode.l10n.t('Choose a Model'), ignoreFocusOut: true },
	);
	return picked === undefined ? undefined : use(ports, picked.id);
}

async function use(ports: ConnectPorts, modelId: string): Promise<string> {
	await ports.settings.set('prowess.model', modelId);
	vscode.window.setStatusBarMessage(vscode.l10n.t('Prowess now uses {0}.', modelId), 5_000);
	return modelId;
}

/** A provider that lists nothing may still serve: then the name is typed. */
async function chooseName(models: readonly string[]): Promise<string | undefined> {
	const title = vscode.l10n.t('Choose a Model');
	if (models.length > 0) {
		return vscode.window.showQuickPick([...models], { title, ignoreFocusOut: true });
	}
	return vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('The provider lists no models. Enter the name of one of its models.'),
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter the name of a model.') : undefined),
	});
}

/** Of a model server in the user's own network: it may be used, and this is what it means. */
function unencrypted(): vscode.InputBoxValidationMessage {
	return {
		message: vscode.l10n.t('Your key and your code will travel unencrypted through this network.'),
		severity: vscode.InputBoxValidationSeverity.Warning,
	};
}

/** Shown where connecting failed; the user may try again at once. */
export async function offerRetry(error: unknown): Promise<boolean> {
	const again = vscode.l10n.t('Try Again');
	const text = vscode.l10n.t('Could not connect the model. {0}', sentenceOf(error));
	return (await fail(text, again)) === again;
}
