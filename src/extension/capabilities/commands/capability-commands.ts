/**
 * Implements the commands about capabilities. Each acts on the node of a view that it was called on, and asks the user
 * for one when it was called without.
 */
import { createNewCapability, openManifest, overrideInProject } from './new-capability.ts';
import { isObjectValue } from '../../../base/text/lenient.ts';
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { Capability } from '../../../catalog/registry/sources/capability-source.ts';
import type { Switched } from '../../../catalog/registry/sources/capability-switch.ts';
import { errorsInWords, type ExecutorItem } from '../../../catalog/registry/items.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { EXECUTORS_FOLDER } from '../../../protocol/capability/manifest.ts';
import { PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import { isNodeOfKind } from '../../editor/changing-tree.ts';
import type { CapabilityCommandId } from '../../editor/command-table.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { inform, withProgress } from '../../notices/notices.ts';
import type { CapabilityPages } from '../pages/capability-pages.ts';
import { executionTitle } from '../pages/execution-page.ts';
import type { Catalog, CatalogCapability as InstalledHere } from '../catalog.ts';
import type { ShownExecutions } from '../view/executions.ts';
import { pickCapability } from './pick-capability.ts';
import { findNodePackage, tellOfHooks } from './plugin-parts.ts';
import { askAndRunCapability, type RunNode, type RunPorts } from './run-capability.ts';
import { statusText, problemLine } from '../texts/texts.ts';
import type { CapabilitiesSideView } from '../view/capabilities-view.ts';

interface CapabilityCommandPorts extends RunPorts {
	readonly home: string;
	readonly workspace: WorkspacePort;
	readonly catalog: Catalog;
	readonly executions: ShownExecutions;
	readonly pages: CapabilityPages;
	readonly view: Pick<CapabilitiesSideView, 'reveal'>;
}

export type CapabilityCommands = { readonly [C in CapabilityCommandId]: (...given: unknown[]) => Promise<void> };

export function createCapabilityCommands(ports: CapabilityCommandPorts): CapabilityCommands {
	const { catalog, executions, pages } = ports;
	const onCapability = async (
		node: unknown,
		title: string,
		act: (capability: Capability) => Promise<unknown>,
		isOffered: (capability: InstalledHere) => boolean = () => true,
	) => {
		const capability = (await findNodeCapability(node, catalog)) ?? (await pickFromCatalog(catalog, title, isOffered));
		if (capability !== undefined) {
			await act(capability);
		}
	};
	return {
		'prowess.runCapability': (node) =>
			onCapability(
				node,
				vscode.l10n.t('Run Capability'),
				(capability) => askAndRunCapability(ports, capability, answersIn(node)),
				({ isEnabled, manifest }) => isEnabled && manifest.userInvocable,
			),
		'prowess.stopCapability': async (node) => {
			const id = executionIdIn(node) ?? (await pickLive(executions));
			if (id !== undefined) {
				await (await ports.base()).capabilities.stop(id);
			}
		},
		'prowess.stopAllCapabilities': async () => {
			const { capabilities } = await ports.base();
			const { live } = executions;
			await Promise.all(live.map(({ info }) => capabilities.stop(info.executionId)));
			if (capabilities.endIdleWorkers() + live.length === 0) {
				sayNoneRuns();
			}
		},
		'prowess.newCapability': async () => refreshedIf(catalog, await createNewCapability(ports)),
		'prowess.overrideCapability': (node) =>
			onCapability(
				node,
				vscode.l10n.t('Override in This Project'),
				async (capability) => refreshedIf(catalog, await overrideInProject(ports, capability)),
				({ source }) => source !== 'project',
			),
		'prowess.trustCapability': (node) =>
			onCapability(node, vscode.l10n.t('Trust Capability'), (capability) => trustWithProgress(ports, capability)),
		'prowess.untrustCapability': (node) =>
			onCapability(node, vscode.l10n.t('Untrust Capability'), (capability) => withdrawTrust(ports, capability)),
		'prowess.enableCapability': (node) => switchOne(ports, node, true),
		'prowess.disableCapability': (node) => switchOne(ports, node, false),
		'prowess.showCapabilities': () => ports.view.reveal('installed'),
		'prowess.showCapability': (node) =>
			onCapability(node, vscode.l10n.t('Show Capability'), async ({ manifest: { type, name } }) =>
				pages.show({ kind: 'capability', of: `${type}/${name}`, title: name }),
			),
		'prowess.showOverrides': async () =>
			pages.show({ kind: 'overrides', of: '', title: vscode.l10n.t('Effective Overrides') }),
		'prowess.explainCapabilities': async (given) => {
			const of = (promptIn(given) ?? '').slice(0, extensionLimits.offerPromptCharacters);
			pages.show({ kind: 'offer', of, title: vscode.l10n.t('What the Agent Knows') });
		},
		'prowess.refreshCapabilities': () => catalog.refresh(),
		'prowess.showExecution': async (node) => {
			const execution = executions.find(executionIdIn(node) ?? '');
			if (execution !== undefined) {
				const { executionId, name } = execution.info;
				pages.show({ kind: 'execution', of: executionId, title: executionTitle(name) });
			}
		},
		'prowess.openManifest': async (node) => {
			const path = pathIn(node);
			if (path !== undefined) {
				await openManifest(vscode.Uri.file(path));
			}
		},
	};
}

async function trustWithProgress(
	{ base, pages, showChat }: CapabilityCommandPorts,
	{ manifest, path }: Capability,
): Promise<void> {
	const { capabilities } = await base();
	const trustInSight = (signal: AbortSignal, report: (message: string) => void) => {
		const onWaiting = (isWaiting: boolean) => {
			report(isWaiting ? vscode.l10n.t('needs your answer in the chat') : '');
			if (isWaiting) void showChat();
		};
		const options = { capability: { folder: path }, caller: { kind: 'user', threadId: null }, onWaiting } as const;
		return capabilities.trust(options, signal);
	};
	// A notification would cover the question in the chat.
	await withProgress(vscode.l10n.t('Trusting {0}', manifest.name), trustInSight, 'statusBar');
	pages.refresh('capability');
	const text = vscode.l10n.t('{0} is trusted until its files change.', manifest.name);
	inform(text);
}

async function withdrawTrust({ base, pages }: CapabilityCommandPorts, { manifest, path }: Capability): Promise<void> {
	const { capabilities } = await base();
	const options = { capability: { folder: path }, caller: { kind: 'user', threadId: null } } as const;
	const wasTrusted = await capabilities.distrust(options);
	pages.refresh('capability');
	inform(
		wasTrusted
			? vscode.l10n.t('Prowess will ask before {0} runs.', manifest.name)
			: vscode.l10n.t('{0} is not trusted.', manifest.name),
	);
}

/**
 * Enables or disables the capability of a node of any view; without a node, the user picks one that is not in that
 * state yet.
 */
async function switchOne({ base, catalog }: CapabilityCommandPorts, node: unknown, isEnabled: boolean): Promise<void> {
	const title = isEnabled ? vscode.l10n.t('Enable Capability') : vscode.l10n.t('Disable Capability');
	const none = isEnabled ? vscode.l10n.t('No capability is disabled.') : vscode.l10n.t('Every capability is disabled.');
	const placeHolder = vscode.l10n.t('Search by name, type, source or description');
	const listCandidates = async () => (await catalog.list()).capabilities.filter((each) => each.isEnabled !== isEnabled);
	const chosen = switchedIn(node) ?? toSwitched(await pickCapability(listCandidates(), { title, placeHolder, none }));
	if (chosen !== undefined) {
		const { capabilitySwitch, marketplace } = await base();
		const { name } = chosen;
		// Shows progress, because the switch may wait until another change, such as an installation, has ended.
		await withProgress(
			isEnabled ? vscode.l10n.t('Enabling {0}', name) : vscode.l10n.t('Disabling {0}', name),
			(signal) => capabilitySwitch.set(chosen, isEnabled, signal),
		);
		const installed = findNodePackage(node);
		if (isEnabled && installed?.type === PLUGINS_FOLDER) await tellOfHooks(marketplace, installed);
	}
}

/** In a node of the views of what is installed, of executors, or of the marketplace. */
function switchedIn(node: unknown): Switched | undefined {
	if (isNodeOfKind<{ readonly capability: Capability }>(node, 'capability')) {
		return toSwitched(node.capability);
	}
	if (isNodeOfKind<{ readonly item: ExecutorItem }>(node, 'executor')) {
		return { ...node.item, type: EXECUTORS_FOLDER };
	}
	const installed = findNodePackage(node);
	return installed && { ...installed, source: installed.scope };
}

function toSwitched(capability: Capability | undefined): Switched | undefined {
	return capability === undefined
		? undefined
		: { ...capability.manifest, path: capability.path, source: capability.source };
}

async function refreshedIf(catalog: Catalog, isNeeded: boolean): Promise<void> {
	if (isNeeded) {
		await catalog.refresh();
	}
}

async function pickFromCatalog(
	catalog: Catalog,
	title: string,
	isOffered: (capability: InstalledHere) => boolean,
): Promise<Capability | undefined> {
	const capabilities = catalog.list().then((listed) => listed.capabilities.filter(isOffered));
	return pickCapability(capabilities, {
		title,
		placeHolder: vscode.l10n.t('Search by name, type, source or description'),
		none: vscode.l10n.t('No capabilities yet. Create one with New Capability, or install one from the marketplace.'),
	});
}

/** The one that runs, or one that is chosen from several. */
async function pickLive(executions: ShownExecutions): Promise<string | undefined> {
	const items = executions.live.map(({ info, progress }) => ({
		label: info.name,
		description: statusText(info.status),
		detail: progress?.message ?? '',
		id: info.executionId,
	}));
	if (items.length === 0) {
		sayNoneRuns();
		return undefined;
	}
	const title = vscode.l10n.t('Stop Capability');
	return (items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title }))?.id;
}

function sayNoneRuns(): void {
	inform(vscode.l10n.t('No capability is running.'));
}

/**
 * Returns the capability of a node, or of the folder of a manifest. Rejects with INVALID_CAPABILITY_CONFIG or
 * CAPABILITY_NOT_FOUND when the folder holds none.
 */
async function findNodeCapability(node: unknown, catalog: Catalog): Promise<Capability | undefined> {
	const path = pathIn(node);
	if (path === undefined) {
		return undefined;
	}
	await catalog.refresh();
	const { capabilities, broken } = await catalog.list();
	const found = capabilities.find((each) => each.path === path);
	if (found === undefined) {
		const item = broken.find((each) => each.path === path);
		throw item === undefined
			? new ProwessError('CAPABILITY_NOT_FOUND', vscode.l10n.t('No capability of this folder is in effect.'), { path })
			: new ProwessError('INVALID_CAPABILITY_CONFIG', errorsInWords(item, problemLine), { path });
	}
	return found;
}

function pathIn(node: unknown): string | undefined {
	const at = isObjectValue(node) ? (node['capability'] ?? node['item'] ?? node) : undefined;
	return isObjectValue(at) && typeof at['path'] === 'string' ? at['path'] : undefined;
}

/** Returns the answers given in the form of a run; undefined when the command was not called from such a form. */
function answersIn(node: unknown): RunNode['answers'] | undefined {
	return isNodeOfKind<Partial<RunNode>>(node, 'capability') ? node.answers : undefined;
}

/** The id of the run that a command was called on: by a row of a view, or by a page. */
export function executionIdIn(node: unknown): string | undefined {
	return isObjectValue(node) && typeof node['executionId'] === 'string' ? node['executionId'] : undefined;
}

/** Returns the prompt that the page about the offer was asked with; undefined without one. */
function promptIn(given: unknown): string | undefined {
	const prompt = typeof given === 'object' && given !== null ? Reflect.get(given, 'prompt') : undefined;
	return typeof prompt === 'string' ? prompt : undefined;
}
