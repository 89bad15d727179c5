/** Everything of capabilities that is seen in the editor, created top to bottom, and what makes it show the present state. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../capability-host/ports.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { CapabilityRef } from '../../protocol/marketplace.ts';
import type { EditorSettings } from '../ports/settings-port.ts';
import { inBackground } from '../signals.ts';
import { type CapabilityCommands, createCapabilityCommands } from './capability-commands.ts';
import { CapabilityDocuments } from './capability-documents.ts';
import { capabilityPage } from './capability-page.ts';
import { Catalog } from './catalog.ts';
import { executionPage } from './execution-page.ts';
import { Executions } from './executions.ts';
import { ExecutionsTree } from './executions-tree.ts';
import { ExecutorsTree } from './executors-tree.ts';
import { InstalledTree } from './installed-tree.ts';
import { KeptParams } from './kept-params.ts';
import { LanguageModelTools } from './language-model-tools.ts';
import { createMarketplaceCommands, type MarketplaceCommands } from './marketplace-commands.ts';
import { MarketplaceTree } from './marketplace-tree.ts';
import { overridesPage } from './overrides-page.ts';
import { packagePage } from './package-page.ts';
import type { RunPorts } from './run-capability.ts';
import { executionWords, statusText } from './texts.ts';

export interface CapabilityViewPorts {
	readonly log: LogPort;
	readonly home: string;
	readonly workspace: WorkspacePort;
	readonly workspaceState: vscode.Memento;
	readonly settings: EditorSettings;
	base(): Promise<TrustedBase>;
	readonly thread: RunPorts['thread'];
	showChat(): Promise<void>;
	isExecutionsViewVisible(): boolean;
}

export interface CapabilityViews extends Disposable {
	readonly commands: CapabilityCommands & MarketplaceCommands;
	readonly installed: InstalledTree;
	readonly executors: ExecutorsTree;
	readonly executions: ExecutionsTree;
	readonly marketplace: MarketplaceTree;
	readonly documents: CapabilityDocuments;
	readonly tools: LanguageModelTools;
	/** From the moment it is there. */
	follow(base: TrustedBase): Disposable;
}

export function createCapabilityViews(ports: CapabilityViewPorts): CapabilityViews {
	const { log, home, workspace, base } = ports;
	const store = new DisposableStore();
	const catalog = new Catalog(workspace, base);
	const executions = new Executions();
	const documents = store.add(
		new CapabilityDocuments({
			execution: async (id) => {
				const execution = executions.find(id);
				if (execution === undefined) {
					throw new ProwessError('NOT_FOUND', vscode.l10n.t('This execution is no longer kept.'));
				}
				return executionPage(execution, statusText(execution.info.status), executionWords());
			},
			capability: async (id) => {
				const { capabilities } = await catalog.list();
				const capability = capabilities.find(({ manifest }) => `${manifest.type}/${manifest.name}` === id);
				if (capability === undefined) {
					throw new ProwessError('CAPABILITY_NOT_FOUND', vscode.l10n.t('There is no {0} any more.', id));
				}
				return capabilityPage(capability);
			},
			overrides: async () => overridesPage(await catalog.list()),
			package: async (ref) => {
				const { marketplace } = await base();
				const wanted = CapabilityRef.parse(JSON.parse(ref));
				return packagePage(await marketplace.show(wanted, new AbortController().signal));
			},
		}),
	);
	const installed = store.add(new InstalledTree(catalog));
	const executors = store.add(new ExecutorsTree(catalog));
	const marketplace = store.add(new MarketplaceTree(() => workspace.isTrusted, base));
	const executionsTree = store.add(new ExecutionsTree(executions, ports.isExecutionsViewVisible));
	const commands = {
		...createCapabilityCommands({
			base,
			home,
			workspace,
			catalog,
			executions,
			pages: documents,
			kept: new KeptParams(ports.workspaceState),
			thread: ports.thread,
			showChat: ports.showChat,
		}),
		...createMarketplaceCommands({
			base,
			settings: ports.settings,
			tree: marketplace,
			pages: documents,
			hasFolder: () => workspace.folders.length > 0,
		}),
	};
	store.add(
		catalog.onDidChange(() => {
			installed.refresh();
			executors.refresh();
			marketplace.refresh();
			documents.refresh('capability');
			documents.refresh('overrides');
		}),
	);
	store.add(
		executions.onDidChange(() => {
			executionsTree.refresh();
			documents.refresh('execution');
		}),
	);
	store.add(workspace.onDidChange(() => inBackground(log, 'capabilities', catalog.refresh())));
	return {
		commands,
		installed,
		executors,
		executions: executionsTree,
		marketplace,
		documents,
		tools: new LanguageModelTools({ base, catalog, showChat: ports.showChat }),
		follow(created) {
			const followed = new DisposableStore();
			followed.add(executions.follow(created.capabilities));
			followed.add(catalog.follow(created));
			return followed;
		},
		dispose: () => store.dispose(),
	};
}
