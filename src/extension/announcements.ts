/** Passes changes of state on to the page, the overview, the status bar, the badge and the user. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../contract/ports/ports.ts';
import type { TrustedBase } from '../host/trusted-base.ts';
import { deskInView } from './chat/requests/desk-requests.ts';
import { deskNotifications } from '../protocol/approvals/approvals.ts';
import { changeNotifications } from '../protocol/approvals/changes.ts';
import { ThreadId } from '../protocol/rpc/ids.ts';
import { viewNotifications, type ViewSettings, type WorkspaceState } from '../protocol/pages/chat-view.ts';
import type { Activity } from './notices/activity.ts';
import type { Attention } from './notices/attention.ts';
import { warnWithoutSandbox } from './notices/start-warnings.ts';
import type { ActiveEditor } from './shown/active-editor.ts';
import type { ChatView } from './chat/chat-view.ts';
import type { CurrentThread } from './shown/current-thread.ts';
import type { ShownLevel } from './shown/shown-level.ts';
import type { LazyBase } from './editor/lazy-base.ts';
import type { EditorSettings } from './ports/settings-port.ts';
import type { ServerClient } from './server/server-client.ts';
import { setContext } from './editor/set-context.ts';
import { inBackground } from './editor/signals.ts';
import type { ChangeDocuments } from './views/change-documents.ts';
import type { Overview } from './views/overview.ts';
import type { Proposals } from './views/proposals.ts';
import type { StatusBar } from './views/status-bar.ts';
import type { Walkthrough } from './notices/walkthrough.ts';

export interface AnnouncementPorts {
	readonly log: LogPort;
	readonly base: LazyBase;
	readonly server: ServerClient;
	readonly workspace: WorkspacePort;
	readonly settings: EditorSettings;
	readonly current: CurrentThread;
	readonly activity: Activity;
	readonly attention: Attention;
	readonly chat: ChatView;
	readonly shownLevel: ShownLevel;
	readonly overview: Overview;
	readonly changeDocuments: ChangeDocuments;
	readonly proposals: Proposals;
	readonly status: StatusBar;
	readonly walkthrough: Walkthrough;
	workspaceState(): Promise<WorkspaceState>;
	viewSettings(): ViewSettings;
	readonly activeEditor: Pick<ActiveEditor, 'onDidChange'>;
}

export function announceChanges(ports: AnnouncementPorts): Disposable {
	const { log, server, workspace, settings, current, activity, attention, chat, overview, walkthrough } = ports;
	const store = new DisposableStore();
	const refreshStatus = () => updateStatusBar(ports);
	const refreshOverview = () => {
		overview.refreshSoon();
		refreshStatus();
	};

	store.add(
		server.onDidChange((state) => {
			chat.notify(viewNotifications.server, state);
			if (state.kind !== 'running') {
				activity.clear();
			}
			refreshOverview();
		}),
	);
	store.add(
		workspace.onDidChange(() => {
			refreshOverview();
			const told = ports.workspaceState().then((state) => chat.notify(viewNotifications.workspace, state));
			inBackground(log, 'view/workspace', told);
		}),
	);
	store.add(
		settings.onDidChange(() => {
			chat.notify(viewNotifications.settings, ports.viewSettings());
			refreshStatus();
		}),
	);
	store.add(ports.activeEditor.onDidChange((file) => chat.notify(viewNotifications.activeFile, file)));
	store.add(current.onDidChange(refreshOverview));
	store.add(activity.onDidChange(refreshStatus));
	store.add(activity.onDidChangeThreads(() => overview.refreshSoon()));
	store.add(
		activity.onDidEndTurn(({ threadId, outcome, isTour }) => {
			overview.refreshSoon();
			const agents = ports.base.now?.agents;
			// A sub-agent reports to its parent, not to the user.
			if (agents !== undefined && agents.rootOf(threadId) !== threadId) return;
			if (isTour && outcome === 'done') {
				walkthrough.take('tour');
			}
			if (outcome === 'done') {
				attention.call(vscode.l10n.t('The turn is done.'));
			} else if (outcome === 'failed') {
				attention.call(vscode.l10n.t('The turn failed.'));
			}
		}),
	);
	refreshStatus();
	return store;
}

/** From the moment it is there, the trusted base is followed too. */
export function announceBase(base: TrustedBase, ports: AnnouncementPorts): Disposable {
	const { chat, overview, changeDocuments, proposals, current, shownLevel, log } = ports;
	const store = new DisposableStore();
	store.add(current.onDidChange(() => proposals.follow(base.desk.current)));
	store.add(warnWithoutSandbox(base, shownLevel, log));
	let open = 0;
	store.add(
		base.desk.onDidChange((desk) => {
			chat.notify(deskNotifications.changed, deskInView(desk, base.scripts));
			proposals.follow(desk);
			if (desk.approvals.length < open) {
				ports.walkthrough.take('approve');
			}
			open = desk.approvals.length;
			chat.setBadge(desk.approvals.length + desk.questions.length);
			overview.refreshSoon();
			updateStatusBar(ports);
		}),
	);
	store.add(
		base.changes.onDidChange(({ owner, changes, undone }) => {
			const threadId = ThreadId.safeParse(owner);
			if (threadId.success) {
				chat.notify(changeNotifications.changed, {
					threadId: threadId.data,
					changes: [...changes],
					undone: [...undone],
				});
			}
			changeDocuments.refresh(owner);
			overview.refreshSoon();
		}),
	);
	return store;
}

function updateStatusBar(ports: AnnouncementPorts): void {
	const { log, base, server, workspace, settings, current, activity, status, walkthrough } = ports;
	const { approvals, questions } = base.now?.desk.current ?? { approvals: [], questions: [] };
	status.show({
		server: server.state,
		isTrusted: workspace.isTrusted,
		waiting: approvals.length + questions.length,
		running: activity.running.size,
		model: settings.current['prowess.model'],
	});
	setContext(log, 'isRunning', current.id !== null && activity.running.has(current.id));
	setContext(log, 'hasThread', current.id !== null);
	if (current.id !== null) {
		walkthrough.take('ask');
	}
	const hasModel = settings.current['prowess.model'] !== '' || settings.current['prowess.providers'].length > 0;
	setContext(log, 'needsModel', !hasModel);
	if (hasModel) {
		walkthrough.take('connect');
	}
}
