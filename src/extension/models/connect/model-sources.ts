/** Where a model may run: what was found on this machine and in the editor, and the providers that we know by name. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { Organisation } from '../../../contract/ports/organisation.ts';
import { modelRequests } from '../../../protocol/turn/models.ts';
import type { ResultOf } from '../../../protocol/rpc/message.ts';
import { type Text, translateText } from '../../../protocol/text/text.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { listEditorModels } from '../editor-models.ts';
import type { ConnectPorts } from './connect-ports.ts';
import { type ProviderChoice, providerChoices } from './provider-choices.ts';

type ModelOrigin =
	| { readonly kind: 'local'; readonly name: string; readonly baseUrl: string; readonly models: readonly string[] }
	| { readonly kind: 'editor' }
	| { readonly kind: 'provider'; readonly choice: ProviderChoice };

type SourceItem = vscode.QuickPickItem & { readonly source?: ModelOrigin };

export async function sourceItems(ports: ConnectPorts, signal: AbortSignal): Promise<SourceItem[]> {
	// The rules are read with the server.
	const local = await lookHere(ports, signal);
	const { organisation } = ports.settings;
	const editor = await listEditorModels(organisation).catch(() => []);
	const here: SourceItem[] = [
		...local.found.map(({ name, baseUrl, models }) => ({
			label: `$(device-desktop) ${name}`,
			description: vscode.l10n.t('on this machine, models: {0}', models.length),
			detail: models.slice(0, 5).join(', '),
			source: { kind: 'local', name, baseUrl, models } as const,
			...markForbidden(name, organisation?.refusalOfProvider({ kind: 'openai-compatible', baseUrl })),
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
	const createSeparator = (label: string): SourceItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
	const others = providerChoices.filter(({ label }) => local.found.every(({ name }) => name !== label));
	return [
		...(here.length === 0 ? [] : [createSeparator(vscode.l10n.t('found')), ...here]),
		createSeparator(vscode.l10n.t('providers')),
		...others.map((choice) => ({
			label: `$(cloud) ${choice.label}`,
			description: describeProviderChoice(choice, local.looked),
			source: { kind: 'provider', choice } as const,
			...markForbidden(choice.label, refusalOfChoice(choice, organisation)),
		})),
	];
}

/** Undefined also where its address is not known yet. */
function refusalOfChoice(choice: ProviderChoice, organisation: Organisation | undefined): Text | undefined {
	return choice.urlHint === undefined ? organisation?.refusalOfProvider(choice) : undefined;
}

/** Row of a source that must not be used; undefined: it may be. */
function markForbidden(label: string, why: Text | undefined): vscode.QuickPickItem | undefined {
	if (why === undefined) return undefined;
	const detail = translateText(why, (template) => vscode.l10n.t(template));
	return { label: `$(circle-slash) ${label}`, description: vscode.l10n.t('Forbidden'), detail };
}

/**
 * Returns the model servers that answer on this machine, and the places looked at. The time limit begins when our
 * server has started.
 */
async function lookHere(
	{ server, log }: ConnectPorts,
	signal: AbortSignal,
): Promise<ResultOf<typeof modelRequests.discover>> {
	try {
		const started = await server();
		const limit = deriveSignal(signal, { what: 'looking for models', timeoutMs: extensionLimits.discoverModelsMs });
		try {
			return await started.call(modelRequests.discover, {}, limit.signal);
		} finally {
			limit.dispose();
		}
	} catch (error) {
		signal.throwIfAborted();
		log.info(`model/discover: ${String(error)}`);
		return { looked: [], found: [] };
	}
}

function describeProviderChoice(
	{ label, key }: ProviderChoice,
	looked: readonly { name: string; baseUrl: string }[],
): string {
	const place = looked.find(({ name }) => name === label);
	if (place !== undefined) {
		return vscode.l10n.t('nothing answers at {0}', new URL(place.baseUrl).host);
	}
	return key === 'required' ? vscode.l10n.t('with a key') : vscode.l10n.t('any OpenAI-compatible server, by URL');
}
