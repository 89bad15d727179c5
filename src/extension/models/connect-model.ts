/**
 * Connect a Model: choose what is there (a local Ollama, the editor's models) or a provider, give its key, and choose a
 * model. Nothing is saved before the provider has answered; the key goes to the secret store only.
 */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { LogPort } from '../../capability-host/contract/ports.ts';
import { modelRequests, type ProviderConfig } from '../../protocol/models.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { limits } from '../limits.ts';
import { fail, withProgress } from '../notices/notices.ts';
import type { EditorSettings } from '../ports/settings-port.ts';
import { sentenceOf } from '../notices/user-message.ts';
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

/** Resolves with the id of the model that is now used; undefined when the user gave up. */
export async function connectModel(ports: ConnectPorts): Promise<string | undefined> {
	const items = await withProgress(vscode.l10n.t('Looking for models on this machine…'), (signal) =>
		sourceItems(ports, signal),
	);
	const picked = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Connect a Model'),
		placeHolder: vscode.l10n.t('Choose where the model runs'),
		matchOnDescription: true,
		ignoreFocusOut: true,
	});
	switch (picked?.source?.kind) {
		case undefined:
			return undefined;
		case 'editor':
			return chooseEditorModel(ports);
		case 'local': {
			const { name, baseUrl } = picked.source;
			const id = providerId(name, baseUrl, ports.settings.current['prowess.providers']);
			return connect(ports, { id, kind: 'openai-compatible', baseUrl, models: [] }, null);
		}
		case 'provider':
			return connectProvider(ports, picked.source.choice);
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
					return { found: [] };
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
		return [
			...(here.length === 0 ? [] : [separated(vscode.l10n.t('found')), ...here]),
			separated(vscode.l10n.t('providers')),
			...providerChoices.map((choice) => ({
				label: `$(cloud) ${choice.label}`,
				description: choice.asksBaseUrl
					? vscode.l10n.t('any OpenAI-compatible server, by URL')
					: vscode.l10n.t('with a key'),
				source: { kind: 'provider', choice } as const,
			})),
		];
	} finally {
		limit.dispose();
	}
}

async function connectProvider(ports: ConnectPorts, choice: ProviderChoice): Promise<string | undefined> {
	const title = vscode.l10n.t('Connect {0}', choice.label);
	const baseUrl = choice.asksBaseUrl ? await askBaseUrl(title) : undefined;
	if (choice.asksBaseUrl && baseUrl === undefined) {
		return undefined;
	}
	const id = providerId(choice.id, baseUrl, ports.settings.current['prowess.providers']);
	const provider: ProviderConfig = { id, kind: choice.kind, models: [], ...(baseUrl === undefined ? {} : { baseUrl }) };
	const key = await askKey(title, choice);
	return key === undefined ? undefined : connect(ports, provider, key === '' ? null : key);
}

/** Tries the provider, saves it with its key, and lets the user choose one of its models. */
async function connect(ports: ConnectPorts, provider: ProviderConfig, key: string | null): Promise<string | undefined> {
	if (key !== null) {
		ports.keys.notice(key);
	}
	const { models } = await withProgress(vscode.l10n.t('Loading the models of {0}…', provider.id), async (signal) => {
		const limit = deriveSignal(signal, {
			what: `asking ${provider.id} for its models`,
			timeoutMs: limits.checkProviderMs,
		});
		try {
			return await (await ports.server()).call(modelRequests.check, { provider, key }, limit.signal);
		} finally {
			limit.dispose();
		}
	});
	const model = await chooseName(models);
	if (model === undefined) {
		return undefined;
	}
	if (key !== null) {
		await ports.keys.store(provider.id, key);
	}
	const isListed = models.includes(model);
	const saved = isListed ? provider : { ...provider, models: [model] };
	await ports.settings.set('prowess.providers', withProvider(ports.settings.current['prowess.providers'], saved));
	return use(ports, `${provider.id}/${model}`);
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

async function askBaseUrl(title: string): Promise<string | undefined> {
	const typed = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('Base URL, for example http://127.0.0.1:1234/v1'),
		placeHolder: 'http://127.0.0.1:1234/v1',
		ignoreFocusOut: true,
		validateInput: (text) =>
			baseUrlProblem(text, {
				form: vscode.l10n.t('Enter a URL such as https://host/v1, without a user name or password.'),
				plain: vscode.l10n.t('Use https. Over http, others on the network could read your key and your code.'),
			}) ?? (isTypedUnencrypted(text) ? unencrypted() : undefined),
	});
	const address = typed === undefined ? undefined : typedBaseUrl(typed);
	return address?.fault === undefined ? address?.baseUrl : undefined;
}

/** Of a model server in the user's own network: it may be used, and this is what it means. */
function unencrypted(): vscode.InputBoxValidationMessage {
	return {
		message: vscode.l10n.t('Your key and your code will travel unencrypted through this network.'),
		severity: vscode.InputBoxValidationSeverity.Warning,
	};
}

async function askKey(title: string, { keyHint, key }: ProviderChoice): Promise<string | undefined> {
	const typed = await vscode.window.showInputBox({
		title,
		prompt:
			key === 'required'
				? vscode.l10n.t("VS Code's secret store keeps the key.")
				: vscode.l10n.t('API key (leave empty if none is needed)'),
		placeHolder: keyHint,
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) =>
			key === 'required' && text.trim() === '' ? vscode.l10n.t('Paste the API key.') : undefined,
	});
	return typed?.trim();
}

/** Shown where connecting failed; the user may try again at once. */
export async function offerRetry(error: unknown): Promise<boolean> {
	const again = vscode.l10n.t('Try Again');
	const text = vscode.l10n.t('Could not connect the model. {0}', sentenceOf(error));
	return (await fail(text, again)) === again;
}
