/**
 * Connect a Model: the user chooses an available source (a local model server, the editor's models) or a provider,
 * gives its key, chooses a model, and sees it call a tool. Saves nothing before the provider has answered; the key goes
 * to the secret store only.
 */
import * as vscode from 'vscode';
import { showErrorNotice, withProgress } from '../../notices/notices.ts';
import { explainError } from '../../notices/user-message.ts';
import { chooseEditorModel, chooseProviderModel } from './choose-model.ts';
import type { ConnectPorts } from './connect-ports.ts';
import { sourceItems } from './model-sources.ts';
import { providerAt, reachProvider } from './reach-provider.ts';

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
				return chooseProviderModel(ports, { provider, key: null, models: source.models }, false);
			}
			case 'provider': {
				const reached = await reachProvider(ports, source.choice);
				if (reached !== 'back') {
					return reached === undefined
						? undefined
						: chooseProviderModel(ports, reached, source.choice.namesModels === true);
				}
			}
		}
	}
}

/** Shown where connecting failed; the user may try again at once. */
export async function offerRetry(error: unknown): Promise<boolean> {
	const again = vscode.l10n.t('Try Again');
	const text = vscode.l10n.t('Could not connect the model. {0}', explainError(error));
	return (await showErrorNotice(text, again)) === again;
}
