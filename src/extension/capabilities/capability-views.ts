/** Everything of capabilities that is seen in the editor, created top to bottom, and what makes it show the present state. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../capability-host/ports.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { type CapabilityCommands, createCapabilityCommands } from './capability-commands.ts';
import { CapabilityDocuments } from './capability-documents.ts';
import { capabilityPage } from './capability-page.ts';
import { Catalog } from './catalog.ts';
import { executionPage } from './execution-page.ts';
import { Executions } from './executions.ts';
import { ExecutionsTree } from './executions-tree.ts';
import { InstalledTree } from './installed-tree.ts';
import { KeptParams } from './kept-params.ts';
import { overridesPage } from './overrides-page.ts';
import { executionWords, statusText } from './texts.ts';

export interface CapabilityViewPorts {
	readonly log: LogPort;
	readonly home: string;
	readonly workspace: WorkspacePort;
	readonly workspaceState: vscode.Memento;
	base(): Promise<TrustedBase>;
	showChat(): Promise<void>;
	isExecutionsViewVisible(): boolean;
}

export interface CapabilityViews extends Disposable {
	readonly commands: CapabilityCommands;
	readonly installed: InstalledTree;
	readonly executions: ExecutionsTree;
	readonly documents: CapabilityDocuments;
	/** From the moment it is there. */
	follow(base: TrustedBase): Disposable;
}

export function createCapabilityViews(ports: CapabilityViewPorts): CapabilityViews {
	const { home, workspace, base } = ports;
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
				const { effective, overrides } = await catalog.list();
				const capability = effective.find(({ manifest }) => `${manifest.type}/${manifest.name}` === id);
				if (capability === undefined) {
					throw new ProwessError('CAPABILITY_NOT_FOUND', vscode.l10n.t('There is no {0} any more.', id));
				}
				const override = overrides.find((each) => each.effective === capability);
				return capabilityPage(capability, override?.shadowed ?? []);
			},
			overrides: async () => overridesPage(await catalog.list()),
		}),
	);
	const installed = store.add(new InstalledTree(catalog));
	const executionsTree = store.add(new ExecutionsTree(executions, ports.isExecutionsViewVisible));
	const commands = createCapabilityCommands({
		base,
		home,
		workspace,
		catalog,
		executions,
		pages: documents,
		kept: new KeptParams(ports.workspaceState),
		showChat: ports.showChat,
	});
	store.add(
		catalog.onDidChange(() => {
			installed.refresh();
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
	store.add(workspace.onDidChange(() => catalog.refresh()));
	return {
		commands,
		installed,
		executions: executionsTree,
		documents,
		follow: ({ capabilities }) => executions.follow(capabilities),
		dispose: () => store.dispose(),
	};
}
