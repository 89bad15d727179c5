/** Switch Model: all that is connected, grouped by provider, the one in use marked; and disconnecting a provider. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/with-time-limit.ts';
import { modelRequests } from '../../protocol/models.ts';
import { limits } from '../limits.ts';
import { inform } from '../notices/notices.ts';
import type { ConnectPorts } from './connect-model.ts';
import { connectedModels, modelItems, type ModelItem } from './model-items.ts';

type SwitchItem = ModelItem & { readonly connect?: true; readonly askAgain?: string };

type ModelChoice =
	| { readonly kind: 'model'; readonly id: string }
	| { readonly kind: 'connect' }
	/** A provider that is passed over is to be asked again. */
	| { readonly kind: 'askAgain'; readonly provider: string };

/** `current` is the model of the shown thread. Undefined: the user chose nothing. */
export async function pickModel(ports: ConnectPorts, current: string | null): Promise<ModelChoice | undefined> {
	const connected = await connectedModels(ports);
	const items: readonly SwitchItem[] = [
		...modelItems(connected, current ?? connected.selected),
		...connected.problems.map(({ provider, message }) => ({
			label: `$(warning) ${provider}`,
			detail: message,
			connect: true as const,
		})),
		...connected.resting.map(({ provider, seconds }) => ({
			label: `$(debug-restart) ${vscode.l10n.t('Ask {0} first again', provider)}`,
			detail: vscode.l10n.t('It failed three times in a minute. Other models are asked first for {0} s.', seconds),
			askAgain: provider,
		})),
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{ label: `$(add) ${vscode.l10n.t('Connect a Model…')}`, connect: true },
	];
	const picked = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Switch Model'),
		placeHolder: vscode.l10n.t('For this thread and new ones'),
		matchOnDescription: true,
	});
	if (picked?.connect === true) {
		return { kind: 'connect' };
	}
	if (picked?.askAgain !== undefined) {
		return { kind: 'askAgain', provider: picked.askAgain };
	}
	return picked?.id === undefined ? undefined : { kind: 'model', id: picked.id };
}

export async function askAgain({ server }: ConnectPorts, provider: string): Promise<void> {
	const peer = await server();
	const limit = { what: 'asking a provider again', timeoutMs: limits.listModelsMs };
	await withTimeLimit(limit, (signal) => peer.call(modelRequests.askAgain, { provider }, signal));
	inform(vscode.l10n.t('{0} is asked first again.', provider));
}

/** Takes a provider and its key away. */
export async function disconnectModel({ settings, keys }: ConnectPorts): Promise<void> {
	const saved = settings.current['prowess.providers'];
	if (saved.length === 0) {
		inform(vscode.l10n.t('No provider is connected.'));
		return;
	}
	const picked = await vscode.window.showQuickPick(
		saved.map(({ id, kind, baseUrl }) => ({ label: id, description: baseUrl ?? kind })),
		{ title: vscode.l10n.t('Disconnect a Provider'), placeHolder: vscode.l10n.t('This also deletes its key.') },
	);
	if (picked === undefined) {
		return;
	}
	await keys.delete(picked.label);
	await settings.set(
		'prowess.providers',
		saved.filter(({ id }) => id !== picked.label),
	);
	for (const choice of ['prowess.model', 'prowess.capabilities.model'] as const) {
		if (settings.current[choice].startsWith(`${picked.label}/`)) {
			await settings.set(choice, '');
		}
	}
}
