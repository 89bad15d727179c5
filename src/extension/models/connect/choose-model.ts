/** Chooses a model of a provider that answers, sees it call a tool, and saves both. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { type Text, translateText } from '../../../protocol/text/text.ts';
import { modelRequests, type ProviderConfig } from '../../../protocol/turn/models.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { askInDialog, withProgress } from '../../notices/notices.ts';
import { explainError } from '../../notices/user-message.ts';
import { isCancellation } from '../../editor/signals.ts';
import { listEditorModels } from '../editor-models.ts';
import type { ConnectPorts, Reached } from './connect-ports.ts';
import { withProvider } from './provider-choices.ts';

/** Lets the user choose a model, sees whether it calls a tool, and saves the provider with its key. */
export async function chooseProviderModel(
	ports: ConnectPorts,
	{ provider, key, models }: Reached,
	namesModels: boolean,
): Promise<string | undefined> {
	const { organisation } = ports.settings;
	organisation?.checkProvider(provider);
	const findRefusal = (model: string) => organisation?.refusalOfModel(provider, model);
	const allowed = models.filter((model) => findRefusal(model) === undefined);
	const prompt =
		models.length > allowed.length && !namesModels
			? vscode.l10n.t('Your organisation allows none of the listed models. Enter the name of one that it allows.')
			: vscode.l10n.t('The provider lists no models. Enter the name of one of its models.');
	for (;;) {
		const model = await chooseName(namesModels ? [] : allowed, prompt, findRefusal);
		if (model === undefined) {
			return undefined;
		}
		if (await isModelWanted(ports, provider, key, model)) {
			if (key !== null) {
				await ports.keys.store(provider.id, key);
			}
			const isListed = !namesModels && models.includes(model);
			const saved = isListed ? provider : { ...provider, models: [model] };
			await ports.settings.change('prowess.providers', (own) => withProvider(own, saved));
			return saveModelChoice(ports, `${provider.id}/${model}`);
		}
	}
}

/** Has the model call a tool; where it does not, the user says whether to use it. To cancel the trial is to use the model. */
async function isModelWanted(
	ports: ConnectPorts,
	provider: ProviderConfig,
	key: string | null,
	model: string,
): Promise<boolean> {
	let why: string;
	try {
		const tried = await withProgress(vscode.l10n.t('Trying {0}: can it call a tool?', model), async (signal) => {
			const limit = deriveSignal(signal, { what: `trying ${model}`, timeoutMs: extensionLimits.tryModelMs });
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
		why = vscode.l10n.t('{0} could not be tried. {1}', model, explainError(error));
	}
	const anyway = vscode.l10n.t('Use Anyway');
	return (await askInDialog(why, [], anyway, vscode.l10n.t('Choose Another'))) === anyway;
}

export async function chooseEditorModel(ports: ConnectPorts): Promise<string | undefined> {
	const models = await listEditorModels(ports.settings.organisation);
	const picked = await vscode.window.showQuickPick(
		models.map(({ id, name }) => ({ label: name, description: id, id })),
		{ title: vscode.l10n.t('Choose a Model'), ignoreFocusOut: true },
	);
	return picked === undefined ? undefined : saveModelChoice(ports, picked.id);
}

async function saveModelChoice(ports: ConnectPorts, modelId: string): Promise<string> {
	await ports.settings.change('prowess.model', () => modelId);
	vscode.window.setStatusBarMessage(vscode.l10n.t('Prowess now uses {0}.', modelId), 5_000);
	return modelId;
}

/** A provider that lists nothing may still serve: then the name is typed, as `prompt` asks. */
async function chooseName(
	models: readonly string[],
	prompt: string,
	findRefusal: (model: string) => Text | undefined,
): Promise<string | undefined> {
	const title = vscode.l10n.t('Choose a Model');
	if (models.length > 0) {
		return vscode.window.showQuickPick([...models], { title, ignoreFocusOut: true });
	}
	return vscode.window.showInputBox({
		title,
		prompt,
		ignoreFocusOut: true,
		validateInput(text) {
			const refused = findRefusal(text);
			if (text.trim() === '') return vscode.l10n.t('Enter the name of a model.');
			return refused && translateText(refused, (template) => vscode.l10n.t(template));
		},
	});
}
