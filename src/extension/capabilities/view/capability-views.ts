/** Everything of capabilities that is seen in the editor, created top to bottom, and what makes it show the present state. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import type { BuiltPage } from '../pages/built-page.ts';
import type { KnownThreads } from '../pages/approvals-page.ts';
import type { CapabilitiesTab } from '../../../protocol/pages/capabilities-view.ts';
import type { EditorSettings } from '../../ports/settings-port.ts';
import { inBackground } from '../../editor/signals.ts';
import type { UserSecretPorts } from '../../ports/user-secrets.ts';
import { type CapabilityCommands, createCapabilityCommands } from '../commands/capability-commands.ts';
import { Catalog } from '../catalog.ts';
import { ShownExecutions } from './executions.ts';
import { KeptParams, typedForms } from '../commands/kept-params.ts';
import { LanguageModelTools } from '../language-model-tools.ts';
import { createMarketplaceCommands, type MarketplaceCommands } from '../commands/marketplace-commands.ts';
import { CapabilityPages } from '../pages/capability-pages.ts';
import { executionTitle } from '../pages/execution-page.ts';
import { pageMakers, type RunAddress } from '../pages/page-makers.ts';
import type { RunPorts } from '../commands/run-capability.ts';
import { CapabilitiesSideView } from './capabilities-view.ts';
import { installedTab } from './installed-tab.ts';
import { KnownUpdates } from './known-updates.ts';
import { marketplaceTab } from './marketplace-tab.ts';
import { mcpTab } from './mcp-tab.ts';
import { runsTab } from './runs-tab.ts';

interface CapabilityViewPorts {
	readonly log: LogPort;
	readonly extensionUri: vscode.Uri;
	readonly home: string;
	readonly workspace: WorkspacePort;
	readonly workspaceState: vscode.Memento;
	readonly settings: EditorSettings;
	base(): Promise<TrustedBase>;
	readonly userSecrets: UserSecretPorts;
	readonly thread: RunPorts['thread'];
	server(): Promise<Peer>;
	knownThreads(signal: AbortSignal): Promise<KnownThreads>;
	/** Makes a tab of the page *Automation*. */
	automation(tab: string, signal: AbortSignal): Promise<BuiltPage>;
	showChat(): Promise<void>;
}

export interface CapabilityViews extends Disposable {
	readonly commands: CapabilityCommands & MarketplaceCommands;
	readonly view: CapabilitiesSideView;
	readonly pages: CapabilityPages;
	readonly tools: LanguageModelTools;
	/** Returns the title of an execution of this window; undefined when it is not kept. */
	titleOf(executionId: string): string | undefined;
	/** From the moment it is there. */
	follow(base: TrustedBase): Disposable;
}

export function createCapabilityViews(ports: CapabilityViewPorts): CapabilityViews {
	const { log, extensionUri, home, workspace, base } = ports;
	const store = new DisposableStore();
	const catalog = new Catalog(workspace, base);
	const executions = new ShownExecutions();
	const kept = new KeptParams(ports.workspaceState);
	const knownThreads = (signal: AbortSignal) => ports.knownThreads(signal);
	const typed = new KeptParams(ports.workspaceState, 'prowess.typedParams');
	const server = () => ports.server();
	const makers = pageMakers({
		base,
		catalog,
		executions,
		kept,
		typed,
		fields: ports,
		server,
		automation: ports.automation,
		knownThreads,
	});
	const pages = store.add(
		new CapabilityPages({ log, extensionUri, workspace, makers, typed: typedForms(base, typed) }),
	);
	const updates = store.add(new KnownUpdates(base));
	const view = store.add(
		new CapabilitiesSideView({
			log,
			extensionUri,
			isTrusted: () => workspace.isTrusted,
			onShow() {
				if (workspace.isTrusted) {
					inBackground(log, 'marketplace', updates.look());
				}
			},
			makers: {
				installed: async () => {
					const listed = await catalog.list();
					const { capabilities, marketplace } = await base();
					const others = listed.capabilities.filter(({ source }) => source !== 'built-in');
					const trusted = others.length === 0 ? new Set<string>() : await capabilities.trustedAmong(others);
					return installedTab({ listed, trusted, packages: await marketplace.installed(), updates: updates.all });
				},
				marketplace: marketplaceTab(base, catalog, ports.settings),
				mcp: mcpTab(base),
				runs: async () => runsTab(executions),
			},
		}),
	);
	const commands = {
		...createCapabilityCommands({
			base,
			home,
			workspace,
			catalog,
			executions,
			pages,
			view,
			kept,
			thread: ports.thread,
			showChat: ports.showChat,
			showForm({ manifest: { type, name } }, tool) {
				const of: RunAddress = { type, name, ...(tool === undefined ? {} : { tool }) };
				pages.show({ kind: 'run', of: JSON.stringify(of), title: vscode.l10n.t('Run {0}', name) });
			},
			showExecution: (id, name) => pages.show({ kind: 'execution', of: id, title: executionTitle(name) }),
			isExecutionInSight: (id) => pages.isInSight('execution', id),
		}),
		...createMarketplaceCommands({
			base,
			settings: ports.settings,
			view,
			updates,
			pages,
			hasFolder: () => workspace.folders.length > 0,
		}),
	};
	const refreshAll = (...tabs: readonly CapabilitiesTab[]) => tabs.forEach((tab) => view.refresh(tab));
	store.add(updates.onDidChange(() => view.refresh('installed')));
	store.add(
		catalog.onDidChange(() => {
			refreshAll('installed', 'marketplace');
			pages.refresh('capability');
			pages.refresh('overrides');
			pages.refresh('offer');
		}),
	);
	store.add(
		executions.onDidChange(() => {
			view.refresh('runs');
			pages.refresh('execution');
		}),
	);
	store.add(
		workspace.onDidChange(() => {
			refreshAll('mcp', 'runs');
			inBackground(log, 'capabilities', catalog.refresh());
		}),
	);
	return {
		commands,
		view,
		pages,
		tools: new LanguageModelTools({ base, catalog, showChat: ports.showChat }),
		titleOf(executionId) {
			const execution = executions.find(executionId);
			return execution === undefined ? undefined : executionTitle(execution.info.name);
		},
		follow(created) {
			const followed = new DisposableStore();
			followed.add(executions.follow(created.capabilities));
			followed.add(catalog.follow(created));
			followed.add(
				created.approvals.onDidChange(() => {
					pages.refresh('approvals');
					pages.refresh('capability');
					view.refresh('installed');
				}),
			);
			// Refetches packages only when an installation or a switch has changed, and for nothing less.
			followed.add(
				created.marketplace.onDidChange(() => {
					pages.refresh('package');
					inBackground(log, 'marketplace', updates.lookAgain());
				}),
			);
			followed.add(created.changes.onDidChange(({ owner }) => pages.refresh('execution', owner)));
			followed.add(created.enabledCapabilities.onDidChange(() => pages.refresh('package')));
			return followed;
		},
		dispose: () => store.dispose(),
	};
}
