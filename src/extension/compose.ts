/**
 * Composition root of the extension: creates everything, top to bottom. The trusted base and the server are made on first
 * need, and never before the workspace is trusted.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { WorkspaceMemory } from '../capability-host/machine/home-files/workspace-memory.ts';
import { createThreadReader } from '../capability-host/record/thread-reader.ts';
import type { HostPorts } from '../capability-host/contract/ports.ts';
import { serverNotifications } from '../protocol/server.ts';
import type { ThreadId } from '../protocol/ids.ts';
import type { Mode } from '../protocol/thread/thread.ts';
import { threadNotifications } from '../protocol/thread/thread-requests.ts';
import { levelNotifications } from '../protocol/thread/thread-level.ts';
import { Activity } from './notices/activity.ts';
import { allowingApproval } from './approvals/allowing-approval.ts';
import { announce, announceBase, type AnnouncementPorts } from './notices/announcements.ts';
import { Attention } from './notices/attention.ts';
import { type CapabilityViews, createCapabilityViews } from './capabilities/trees/capability-views.ts';
import type { ViewVisibility } from './capabilities/trees/executions-tree.ts';
import type { BadgedView } from './memory/memory-tree.ts';
import { createMemoryViews, type MemoryViews } from './memory/memory-views.ts';
import { createMcpViews, type McpViews } from './mcp/mcp-views.ts';
import { ActiveEditor } from './chat/shown/active-editor.ts';
import { ChatKeyboard } from './chat/chat-keyboard.ts';
import { ChatView } from './chat/chat-view.ts';
import { Catalog } from './capabilities/catalog.ts';
import { Completion } from './chat/suggestions/completion.ts';
import { namedCapabilities } from './chat/requests/named-capabilities.ts';
import { KeptInput } from './chat/shown/kept-input.ts';
import { CurrentThread } from './chat/shown/current-thread.ts';
import { confirmDangerous } from './chat/requests/confirm-dangerous.ts';
import { confirmFullLevel } from './chat/requests/confirm-full-level.ts';
import { confirmKeptAnswer } from './chat/requests/confirm-kept-answer.ts';
import { createChangeRequests, createDeskRequests, createRestoreRequests } from './chat/requests/desk-requests.ts';
import { createPromptRequests } from './chat/requests/outgoing-prompts.ts';
import { ShownLevel } from './chat/shown/shown-level.ts';
import { shownThread } from './chat/shown/shown-thread.ts';
import { threadTitles } from './chat/shown/thread-titles.ts';
import { createCommandRunRequests } from './chat/requests/command-runs.ts';
import { createViewRequests } from './chat/requests/view-requests.ts';
import { readWorkspaceState } from './chat/shown/workspace-state.ts';
import { createCommands } from './commands.ts';
import type { CommandId } from './command-table.ts';
import { exportThread } from './export-thread.ts';
import { InlineEdits } from './inline-edit/inline-edits.ts';
import { LazyBase } from './lazy-base.ts';
import { followLink } from './links/follow-link.ts';
import { verifyRecorded } from './ledger/verify-recorded.ts';
import { inform, warn } from './notices/notices.ts';
import { ProviderKeys } from './models/provider-keys.ts';
import { ChangedFiles } from './ports/changed-files.ts';
import { documentPort } from './ports/document-port.ts';
import { createEditorPort } from './ports/editor-port.ts';
import { createLogPort } from './ports/log-port.ts';
import { createPersonPort } from './ports/person-port.ts';
import { homePlace, ripgrepCandidates } from './ports/places.ts';
import { createSecretsPort } from './ports/secrets-port.ts';
import { createSettingsPort } from './ports/settings-port.ts';
import { createWorkspacePort } from './ports/workspace-port.ts';
import { ServerClient } from './server/server-client.ts';
import { ServerProcess } from './server/server-process.ts';
import { serveServer, type ServerServicePorts, shakeHands } from './server/server-services.ts';
import { warnOfSettings } from './notices/setting-warnings.ts';
import { inBackground } from './server/signals.ts';
import { sentenceOf, showFailure } from './notices/user-message.ts';
import { ChangeDocuments } from './views/change-documents.ts';
import { composePages, type Pages } from './views/compose-pages.ts';
import { followChangeDiff } from './views/hunk-commands.ts';
import { LevelMark } from './views/level-mark.ts';
import { Overview } from './views/overview.ts';
import { Proposals } from './views/proposals.ts';
import type { StatusBar } from './views/status-bar.ts';
import { toAbsolutePath } from './workspace-paths.ts';

export interface Shell {
	readonly context: vscode.ExtensionContext;
	readonly channel: vscode.LogOutputChannel;
	readonly status: StatusBar;
	readonly executionsView: ViewVisibility;
	readonly memoryView: BadgedView;
}

export interface App {
	readonly chat: ChatView;
	readonly overview: Overview;
	readonly documents: Pages['documents'];
	readonly changeDocuments: ChangeDocuments;
	readonly proposals: Proposals;
	readonly ledgerPage: Pages['ledgerPage'];
	readonly tracePage: Pages['tracePage'];
	readonly capabilities: CapabilityViews;
	readonly mcp: McpViews;
	readonly memories: MemoryViews;
	/** Shows what a link from outside of the editor names. */
	followLink(uri: vscode.Uri): Promise<void>;
	/** For what it does by itself; what goes wrong is shown when somebody asks for something. */
	startServer(): void;
	runCommand(id: CommandId, given: readonly unknown[]): Promise<void>;
	/** Idempotent, bounded. */
	close(): Promise<void>;
}

export function compose({ context, channel, status, executionsView, memoryView }: Shell): App {
	const store = new DisposableStore();
	const log = createLogPort(channel);
	const home = homePlace(process.env);
	const dist = context.asAbsolutePath('dist');
	const workspace = store.add(createWorkspacePort());
	const settings = store.add(createSettingsPort(log));
	const folders = workspace.folders.map(({ path }) => path);
	const memory = new WorkspaceMemory({ home, folders, of: 'thread' }, log);
	const current = new CurrentThread(memory);
	const typedMemory = new WorkspaceMemory({ home, folders, of: 'typed' }, log);
	const keptInput = new KeptInput(typedMemory);
	const activity = new Activity();
	const attention = store.add(
		new Attention({
			log,
			isChatVisible: () => chat.isVisible,
			isWanted: () => settings.current['prowess.chat.notify'],
			showChat: () => chat.focus(),
		}),
	);

	// The trusted base: where every effect happens
	const ripgrep = () =>
		ripgrepCandidates({
			setting: settings.current['prowess.tools.ripgrepPath'],
			appRoot: vscode.env.appRoot,
			path: process.env['PATH'] ?? '',
			platform: process.platform,
			arch: process.arch,
		});
	const changedFiles = store.add(new ChangedFiles((paths) => base.now?.changes.look(paths)));
	const hostPorts: HostPorts = {
		workspace,
		documents: { ...documentPort, isEdited: (absolutePath) => changedFiles.isEdited(absolutePath) },
		editor: createEditorPort(workspace),
		person: createPersonPort(attention),
		settings,
		secrets: createSecretsPort(context.secrets),
		log,
		places: {
			home,
			userHome: homedir(),
			dist,
			get ripgrepCandidates() {
				return ripgrep();
			},
		},
		approvalMode: 'ask',
		server: () => server.peer(),
	};
	const base = new LazyBase(hostPorts, (created) => {
		store.add(announceBase(created, announcements));
		store.add(capabilities.follow(created));
		store.add(mcp.follow(created));
		store.add(memories.follow(created));
		store.add(shownLevel.follow(created));
		store.add(ledgerPage.follow(created));
	});
	const desk = () => base.now?.desk.current ?? { approvals: [], questions: [] };

	// The server: thinks, and asks the trusted base for every effect
	const keys = new ProviderKeys(context.secrets, (key) => base.now?.addSecret(key));
	const services: ServerServicePorts = {
		log,
		home,
		settings,
		workspace,
		keys,
		base: () => base.get(),
		onUpdate(update) {
			chat.notify(threadNotifications.update, update);
			if (update.isElsewhere !== true) {
				activity.apply(update);
			}
		},
		onModelsChanged: () => chat.notify(serverNotifications.modelsChanged, {}),
	};
	const server = new ServerClient({
		log,
		isTrusted: () => workspace.isTrusted,
		async createProcess() {
			const library = await import('./server/watched-client.ts');
			const redact = (text: string) => base.now?.redact(text) ?? text;
			return new ServerProcess({ library, module: join(dist, 'server.mjs'), channel, log, redact });
		},
		serve: (peer) => serveServer(peer, services),
		handshake: (peer, signal) => shakeHands(peer, services, signal),
		sentenceOf,
	});

	// What the user sees
	const workspaceState = () => readWorkspaceState(workspace);
	const viewSettings = () => ({
		sendWith: settings.current['prowess.chat.sendWith'],
		mode: settings.current['prowess.mode'],
		tellsActiveFile: settings.current['prowess.chat.tellActiveFile'],
	});
	const activeEditor = store.add(new ActiveEditor(workspace));
	const shownLevel = store.add(
		new ShownLevel({ current, settings, log, base: () => base.now, confirm: confirmFullLevel }),
	);
	const namedHere = () => namedCapabilities(new Catalog(workspace, () => base.get()));
	const completion = new Completion({
		workspace,
		log,
		capabilities: namedHere,
		server: () => server.peer(),
		folders: () => workspace.folders.map(({ path }) => path),
		shown: () => current.id,
	});
	const changeDocuments = store.add(new ChangeDocuments(() => base.get()));
	const proposals = store.add(
		new Proposals({
			log,
			desk: () => base.now?.desk,
			shownThread: () => current.id,
			opensByItself: () => settings.current['prowess.approvals.openDiff'],
		}),
	);
	const inlineEdits = store.add(new InlineEdits({ log, workspace, base: () => base.get() }));
	const keyboard = new ChatKeyboard(log);
	// Where there is no trusted base, nothing is read or changed in any mode.
	const keepMode = async (threadId: ThreadId, mode: Mode, signal: AbortSignal) =>
		await base.now?.modes.set(threadId, mode, signal);
	const chat: ChatView = store.add(
		new ChatView(context.extensionUri, (starting) => ({
			log,
			reader: createThreadReader(home),
			server: () => server.peer(),
			prompts: createPromptRequests({
				server: () => server.peer(),
				keepMode,
				beginThread: (threadId, text) => base.now?.beginThread(threadId, text),
				async outgoingMessage(message, keepsLookalikes) {
					const created = await base.get();
					await Promise.all([keys.noticeStored(), created.noticeSecrets()]);
					return created.outgoingMessage(message, keepsLookalikes);
				},
			}),
			levels: shownLevel,
			keepMode,
			keyboard: (isHere) => keyboard.tell(isHere),
			keep: (typed) => keptInput.take(typed),
			endThread: async (threadId) => {
				keptInput.drop(threadId);
				await (await base.get()).endThread(threadId);
			},
			desk: createDeskRequests({
				base: () => base.now,
				shownThread: () => current.id,
				confirm: confirmKeptAnswer,
				onGone: () => warn(vscode.l10n.t('The question had gone, so nothing was allowed or saved.')),
				withText: (id, answer) => proposals.withText(id, answer),
				showDiff: async (id) => void (await proposals.show(id, { keepsFocus: false })),
				confirmDangerous,
				onRemoved: (count) =>
					inform(
						count === 1
							? vscode.l10n.t('1 key was removed from your answer.')
							: vscode.l10n.t('{n} keys were removed from your answer.', { n: count }),
					),
			}),
			changes: createChangeRequests(
				() => base.get(),
				(threadId, path) => changeDocuments.show(threadId, path),
			),
			restores: createRestoreRequests(() => base.get()),
			view: {
				...createViewRequests({
					workspace,
					current,
					completion,
					capabilities: namedHere,
					server: () => server.peer(),
					serverState: () => server.state,
					workspaceState,
					viewSettings,
					activeFile: () => activeEditor.current,
					typed: () => keptInput.typed,
					starting,
					applyCode: (code) => inlineEdits.apply(code),
					showRecorded: (opId) => ledgerPage.show({ line: `id:${opId}` }),
					showTrace: (turnId) => tracePage.show({ threadId: current.id, turnId }),
					verifyRecorded: async (opIds, signal) => verifyRecorded((await base.get()).ledger, opIds, signal),
					showAllowed: async (rule) =>
						vscode.commands.executeCommand(
							'prowess.manageApprovals',
							await allowingApproval(await base.get(), rule, current.id),
						),
					showWhy: async (id) => vscode.commands.executeCommand('prowess.whyAsked', id),
					exportThread: async (threadId, format, signal) => exportThread(await server.peer(), threadId, format, signal),
				}),
				...createCommandRunRequests({
					runs: () => base.now?.runs,
					shownThread: () => current.id,
					server: () => server.peer(),
				}),
			},
		})),
	);
	const overview = store.add(
		new Overview({
			desk,
			currentThread: () => current.id,
			changes: async (threadId) => (await base.get()).changes.list(threadId),
			server: () => server.peer().catch(() => undefined),
			resourceUri(path) {
				const absolutePath = toAbsolutePath(workspace.folders, path);
				return absolutePath === undefined ? undefined : vscode.Uri.file(absolutePath);
			},
			folders: () => workspace.folders.map(({ path }) => path),
		}),
	);
	const pages = composePages({
		log,
		extensionUri: context.extensionUri,
		base: () => base.get(),
		server: () => server.peer(),
		examined: () => ({
			version: String(context.extension.packageJSON.version),
			home,
			ripgrepCandidates: ripgrep(),
			workspace,
			settings,
		}),
	});
	const { documents, ledgerPage, tracePage } = store.add(pages);
	store.add(tracePage.follow(activity));
	const capabilities = store.add(
		createCapabilityViews({
			log,
			extensionUri: context.extensionUri,
			home,
			workspace,
			workspaceState: context.workspaceState,
			settings,
			base: () => base.get(),
			thread: async () => (server.running === undefined ? null : shownThread(server.running, current, log)),
			threadTitles: (signal) => threadTitles(server.running, signal),
			showChat: () => chat.focus(),
			executionsView,
		}),
	);
	const mcp = store.add(
		createMcpViews({
			workspace,
			settings,
			base: () => base.get(),
			showChat: () => chat.focus(),
			showLog: () => documents.show('mcpLog'),
			renewLog: () => documents.renew('mcpLog'),
		}),
	);
	const memories = store.add(createMemoryViews({ workspace, view: memoryView, base: () => base.get() }));
	const commands = createCommands({
		extensionId: context.extension.id,
		extensionUri: context.extensionUri,
		storageUri: context.globalStorageUri,
		log,
		channel,
		workspace,
		settings,
		keys,
		current,
		chat,
		shownLevel,
		keyboard,
		server,
		base: () => base.get(),
		documents,
		changeDocuments,
		proposals,
		inlineEdits,
		ledgerPage,
		tracePage,
		ruleTest: pages.ruleTest,
		redactionPreview: pages.redactionPreview,
		userSecrets: { secrets: hostPorts.secrets, onValue: (value) => base.now?.addSecret(value) },
		overview,
		capabilities,
		mcp,
		memories,
	});

	const announcements: AnnouncementPorts = {
		log,
		base,
		server,
		workspace,
		settings,
		current,
		activity,
		attention,
		chat,
		shownLevel,
		overview,
		changeDocuments,
		proposals,
		status,
		workspaceState,
		viewSettings,
		activeEditor,
	};
	store.add(announce(announcements));
	store.add(warnOfSettings(settings, log));
	store.add(new LevelMark(shownLevel));
	store.add(shownLevel.onDidChange((shown) => chat.notify(levelNotifications.changed, shown)));
	shownLevel.tell();
	store.add(followChangeDiff());

	let closing: Promise<void> | undefined;
	return {
		chat,
		overview,
		documents,
		changeDocuments,
		proposals,
		ledgerPage,
		tracePage,
		capabilities,
		mcp,
		memories,
		startServer: () => inBackground(log, 'server', server.peer()),
		async followLink(uri) {
			try {
				await followLink({ chat, pages: capabilities.pages, base: () => base.get() }, uri);
			} catch (error) {
				inBackground(log, 'link', showFailure(vscode.l10n.t('The link could not be followed.'), error, log));
			}
		},
		async runCommand(id, given) {
			try {
				await commands[id](...given);
			} catch (error) {
				inBackground(log, id, showFailure(vscode.l10n.t('The command failed.'), error, log));
			}
		},
		close() {
			closing ??= (async () => {
				await Promise.all([server.close(), base.close(), memory.settled(), typedMemory.settled()]);
				store.dispose();
			})();
			return closing;
		},
	};
}
