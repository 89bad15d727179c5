/** The connected models as a list to choose from, grouped by provider, the one in use marked. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { modelRequests, type Price } from '../../protocol/turn/models.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import { extensionLimits } from '../editor/limits.ts';
import { withProgress } from '../notices/notices.ts';
import type { ConnectPorts } from './connect/connect-ports.ts';

export type ModelItem = vscode.QuickPickItem & { readonly id?: string };
type ConnectedModels = ResultOf<typeof modelRequests.list>;

/** Says that it is under way; rejects when the user cancels it. */
export async function connectedModels(ports: Pick<ConnectPorts, 'server'>): Promise<ConnectedModels> {
	return withProgress(vscode.l10n.t('Loading the models…'), async (signal) => {
		const limit = deriveSignal(signal, { what: 'listing the models', timeoutMs: extensionLimits.listModelsMs });
		try {
			return await (await ports.server()).call(modelRequests.list, {}, limit.signal);
		} finally {
			limit.dispose();
		}
	});
}

export function modelItems({ models }: ConnectedModels, inUse: string | null): ModelItem[] {
	const providers = [...new Set(models.map(({ provider }) => provider))];
	return providers.flatMap((provider): ModelItem[] => [
		{ label: provider, kind: vscode.QuickPickItemKind.Separator },
		...models
			.filter((model) => model.provider === provider)
			.map(({ id, name, contextWindow, price }) => ({
				id,
				label: id === inUse ? `$(check) ${name}` : name,
				description: [id, ...windowText(contextWindow), ...priceText(price)].join(' · '),
			})),
	]);
}

function windowText(tokens: number | undefined): string[] {
	return tokens === undefined ? [] : [vscode.l10n.t('{0} k tokens', Math.round(tokens / 1000))];
}

function priceText(price: Price | undefined): string[] {
	return price === undefined ? [] : [vscode.l10n.t('${0} in, ${1} out per million', price.input, price.output)];
}
