/** Choose the Model for Capabilities: that of the thread, one that is connected, or a capability that answers in a model's place. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { CAPABILITY_MODEL_PREFIX, LLM_SERVICE } from '../../protocol/ops/definitions/agent/llm.ts';
import type { ConnectPorts } from './connect/connect-ports.ts';
import { connectedModels, modelItems, type ModelItem } from './model-items.ts';

const CAPABILITY_MODEL_SETTING = 'prowess.capabilities.model';

export async function chooseForCapabilities(ports: ConnectPorts, base: () => Promise<TrustedBase>): Promise<void> {
	const inUse = ports.settings.current[CAPABILITY_MODEL_SETTING];
	const picked = await vscode.window.showQuickPick(listModelChoices(ports, base, inUse), {
		title: vscode.l10n.t('Choose the Model for Capabilities'),
		placeHolder: vscode.l10n.t('Default model for capabilities'),
		matchOnDescription: true,
	});
	const id = picked?.id;
	if (id !== undefined) {
		await ports.settings.change(CAPABILITY_MODEL_SETTING, () => id);
	}
}

async function listModelChoices(
	ports: ConnectPorts,
	base: () => Promise<TrustedBase>,
	inUse: string,
): Promise<ModelItem[]> {
	const [connected, providing] = await Promise.all([
		connectedModels(ports),
		base().then(({ capabilities }) => capabilities.available()),
	]);
	const answering = providing.capabilities
		.filter(({ manifest }) => manifest.provides.includes(LLM_SERVICE))
		.map(({ manifest: { type, name, description } }) => {
			const id = `${CAPABILITY_MODEL_PREFIX}${type}/${name}`;
			return { id, label: markInUse(name, id === inUse), description: id, detail: description };
		});
	return [
		{ id: '', label: markInUse(vscode.l10n.t("The thread's model"), inUse === '') },
		...(answering.length === 0
			? []
			: [{ label: vscode.l10n.t('Capabilities'), kind: vscode.QuickPickItemKind.Separator }, ...answering]),
		// The tour follows a script, and answers no capability.
		...modelItems({ ...connected, models: connected.models.filter(({ source }) => source !== 'scripted') }, inUse),
	];
}

function markInUse(label: string, isInUse: boolean): string {
	return isInUse ? `$(check) ${label}` : label;
}
