/** Switch Model: all that is connected, grouped by provider, the one in use marked; and disconnecting a provider. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/derived-signal.ts';
import { modelRequests } from '../../protocol/models.ts';
import { limits } from '../limits.ts';
import type { ConnectPorts } from './connect-model.ts';

type ModelItem = vscode.QuickPickItem & { readonly id?: string; readonly connect?: true };

export type ModelChoice = { readonly kind: 'model'; readonly id: string } | { readonly kind: 'connect' };

/** `current` is the model of the shown thread. Undefined: the user chose nothing. */
export async function pickModel(ports: ConnectPorts, current: string | null): Promise<ModelChoice | undefined> {
	const limit = deriveSignal(new AbortController().signal, {
		what: 'listing the models',
		timeoutMs: limits.listModelsMs,
	});
	const items = ports
		.server()
		.then((server) => server.call(modelRequests.list, {}, limit.signal))
		.then(({ models, selected, problems }): ModelItem[] => {
			const inUse = current ?? selected;
			const providers = [...new Set(models.map(({ provider }) => provider))];
			return [
				...providers.flatMap((provider): ModelItem[] => [
					{ label: provider, kind: vscode.QuickPickItemKind.Separator },
					...models
						.filter((model) => model.provider === provider)
						.map(({ id, name, contextWindow }) => ({
							id,
							label: id === inUse ? `$(check) ${name}` : name,
							description:
								contextWindow === undefined
									? id
									: vscode.l10n.t('{0} · {1} k tokens', id, Math.round(contextWindow / 1000)),
						})),
				]),
				...problems.map(({ provider, message }) => ({
					label: `$(warning) ${provider}`,
					detail: message,
					connect: true as const,
				})),
				{ label: '', kind: vscode.QuickPickItemKind.Separator },
				{ label: `$(add) ${vscode.l10n.t('Connect a Model…')}`, connect: true },
			];
		});
	try {
		const picked = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t('Switch Model'),
			placeHolder: vscode.l10n.t('The model of this thread and of new ones'),
			matchOnDescription: true,
		});
		if (picked?.connect === true) {
			return { kind: 'connect' };
		}
		return picked?.id === undefined ? undefined : { kind: 'model', id: picked.id };
	} finally {
		limit.dispose();
	}
}

/** Takes a provider and its key away. */
export async function disconnectModel({ settings, keys }: ConnectPorts): Promise<void> {
	const saved = settings.current['prowess.providers'];
	if (saved.length === 0) {
		void vscode.window.showInformationMessage(vscode.l10n.t('No provider is connected.'));
		return;
	}
	const picked = await vscode.window.showQuickPick(
		saved.map(({ id, kind, baseUrl }) => ({ label: id, description: baseUrl ?? kind })),
		{ title: vscode.l10n.t('Disconnect a Provider'), placeHolder: vscode.l10n.t('Its key is deleted too.') },
	);
	if (picked === undefined) {
		return;
	}
	await keys.delete(picked.label);
	await settings.set(
		'prowess.providers',
		saved.filter(({ id }) => id !== picked.label),
	);
	if (settings.current['prowess.model'].startsWith(`${picked.label}/`)) {
		await settings.set('prowess.model', '');
	}
}
