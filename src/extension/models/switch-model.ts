/** Switch Model: all that is connected, grouped by provider, the one in use marked, and how hard it thinks; and disconnecting a provider. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { translateText } from '../../protocol/text/text.ts';
import { Effort, modelRequests } from '../../protocol/turn/models.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform } from '../notices/notices.ts';
import type { ConnectPorts } from './connect/connect-ports.ts';
import { connectedModels, modelItems, type ModelItem } from './model-items.ts';

type SwitchItem = ModelItem & {
	readonly connect?: true;
	readonly askAgain?: string;
	/** Null: as the settings say. */
	readonly effort?: Effort | null;
};

type PickedModel =
	| { readonly kind: 'model'; readonly id: string }
	/** Effort of the model in use; null: as the settings say. */
	| { readonly kind: 'effort'; readonly id: string; readonly effort: Effort | null }
	| { readonly kind: 'connect' }
	/** A provider that is passed over is to be asked again. */
	| { readonly kind: 'askAgain'; readonly provider: string };

/** Model and effort of the shown thread; null: the thread has none of its own. */
export interface CurrentModel {
	readonly id: string | null;
	/** Undefined: no thread is shown, and the settings of the model count. */
	readonly effort: Effort | null | undefined;
}

/** Undefined: the user chose nothing. */
export async function pickModel(ports: ConnectPorts, current: CurrentModel): Promise<PickedModel | undefined> {
	const connected = await connectedModels(ports);
	const id = current.id ?? connected.selected;
	const inUse = connected.models.find((model) => model.id === id);
	const takesEffort = inUse?.source === 'provider' && inUse.thinks !== false;
	const set = inUse === undefined ? undefined : ports.settings.current['prowess.models.settings'][inUse.id]?.effort;
	const findRefusal = (provider: string) => {
		const config = ports.settings.current['prowess.providers'].find((each) => each.id === provider);
		const refused = config && ports.settings.organisation?.refusalOfProvider(config);
		return refused && translateText(refused, (template) => vscode.l10n.t(template));
	};
	const items: readonly SwitchItem[] = [
		...modelItems(connected, id),
		...(takesEffort ? effortItems(inUse.name, current.effort === undefined ? (set ?? null) : current.effort) : []),
		...connected.problems.map(({ provider, message }) => ({
			label: `$(warning) ${provider}`,
			detail: findRefusal(provider) ?? message,
			connect: true as const,
		})),
		...connected.resting.map(({ provider, seconds }) => ({
			label: `$(debug-restart) ${vscode.l10n.t('Ask {0} first again', provider)}`,
			detail: vscode.l10n.t('It failed often. Other models are asked first for {0} s.', seconds),
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
	if (picked?.effort !== undefined && id !== null) {
		return { kind: 'effort', id, effort: picked.effort };
	}
	if (picked?.askAgain !== undefined) {
		return { kind: 'askAgain', provider: picked.askAgain };
	}
	return picked?.id === undefined ? undefined : { kind: 'model', id: picked.id };
}

function effortItems(model: string, inForce: Effort | null): SwitchItem[] {
	return [
		{ label: vscode.l10n.t('Thinking of {0}', model), kind: vscode.QuickPickItemKind.Separator },
		...[null, ...Effort.options].map((effort) => {
			const label = vscode.l10n.t('Thinking: {0}', describeEffort(effort));
			return { label: effort === inForce ? `$(check) ${label}` : label, effort };
		}),
	];
}

export function describeEffort(effort: Effort | null): string {
	switch (effort) {
		case null:
			return vscode.l10n.t('As set for the model');
		case 'off':
			return vscode.l10n.t('Off');
		case 'low':
			return vscode.l10n.t('Low');
		case 'medium':
			return vscode.l10n.t('Medium');
		case 'high':
			return vscode.l10n.t('High');
	}
}

export async function askAgain({ server }: ConnectPorts, provider: string): Promise<void> {
	const peer = await server();
	const limit = { what: 'asking a provider again', timeoutMs: extensionLimits.listModelsMs };
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
	await settings.change('prowess.providers', (own) => own.filter(({ id }) => id !== picked.label));
	for (const choice of ['prowess.model', 'prowess.capabilities.model'] as const) {
		if (settings.current[choice].startsWith(`${picked.label}/`)) {
			await settings.change(choice, () => '');
		}
	}
}
