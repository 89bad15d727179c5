/**
 * Composition root of the extension: creates everything, top to bottom. The trusted base and the server are made on first
 * need, and never before the workspace is trusted.
 */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { WorkspaceMemory } from '../machine/home-files/workspace-memory.ts';
import { loadOrganisation } from '../machine/organisation/load-organisation.ts';
import { systemPlace } from '../machine/organisation/system-file.ts';
import { serverNotifications } from '../protocol/server.ts';
import { threadNotifications } from '../protocol/thread/thread-requests.ts';
import { levelNotifications } from '../protocol/thread/thread-level.ts';
import { confirmFullLevel } from './chat/requests/confirm-answers.ts';
import { automationTabs, createAutomationViews } from './automation/automation-views.ts';
import { Activity } from './notices/activity.ts';
import { announceChanges, announceBase, type AnnouncementPorts } from './announcements.ts';
import { Attention } from './notices/attention.ts';
import { createCapabilityViews } from './capabilities/view/capability-views.ts';
import { followAgents } from './chat/requests/agent-requests.ts';
import { noticeHooks, reviewHooks } from './approvals/review-hooks.ts';
import { letServerWrite } from './mcp/mcp-commands.ts';
import { createMcpViews } from './mcp/mcp-views.ts';
import { ActiveEditor } from './shown/active-editor.ts';
import { ChatKeyboard } from './chat/chat-keyboard.ts';
import { chatPorts } from './chat/chat-ports.ts';
import { ChatTabs } from './chat/chat-tabs.ts';
import { ChatView } from './chat/chat-view.ts';
import { emptyThreads } from './chat/empty-threads.ts';
import { createHandOver } from './chat/hand-over.ts';
import { nameThreads } from './chat/name-threads.ts';
import { KeptInput } from './shown/kept-input.ts';
import { CurrentThread, readKnownThreads, shownThread } from './shown/current-thread.ts';
import { ShownLevel } from './shown/shown-level.ts';
import { readWorkspaceState } from './shown/workspace-state.ts';
import { Comments } from './comments/comments.ts';
import { createCommands } from './commands.ts';
import { LazyInlineEdits } from './inline-edit/lazy-inline-edits.ts';
import { LazyBase } from './editor/lazy-base.ts';
import { followLink } from './follow-link.ts';
import { ProviderKeys } from './models/provider-keys.ts';
import { ChangedFiles } from './ports/changed-files.ts';
import { createLogPort, editorHostPorts } from './ports/host-ports.ts';
import { homePlace } from './ports/places.ts';
import { createSettingsPort } from './ports/settings-port.ts';
import { createWorkspacePort, findMissingFolder } from './ports/workspace-port.ts';
import { ServerClient } from './server/server-client.ts';
import { EditorServerProcess } from './server/server-process.ts';
import { serveEditorServer, type ServerServicePorts, shakeHands } from './server/server-services.ts';
import { warnOfSettings } from './notices/start-warnings.ts';
import { inBackground } from './editor/signals.ts';
import { explainError, showFailure } from './notices/user-message.ts';
import type { UserSecretPorts } from './ports/user-secrets.ts';
import { ChangeDocuments } from './views/change-documents.ts';
import { composePages } from './views/compose-pages.ts';
import { Walkthrough } from './notices/walkthrough.ts';
import { followChangeDiff } from './views/keep-undo.ts';
import { Overview } from './views/overview.ts';
import { WorktreeDocuments } from './worktrees/worktree-documents.ts';
import { Proposals } from './views/proposals.ts';
import { toAbsolutePath } from './editor/workspace-paths.ts';
import { Doors } from './approvals/doors.ts';
import type { ExtensionApp, Shell } from './app.ts';
import { EditorSignIn } from './mcp/sign-in-port.ts';
import { LevelStatusItem } from './views/status-bar.ts';

export function composeExtension({ context, channel, status }: Shell): ExtensionApp {
	const store = new DisposableStore();
	const log = createLogPort(channel);
	const home = homePlace(process.env);
	const dist = context.asAbsolutePath('dist');
	const workspace = store.add(createWorkspacePort(home));
	const settings = store.add(createSettingsPort(log));
	const folders = workspace.folders.map(({ path }) => path);
	const memory = new WorkspaceMemory({ home, folders, of: 'thread' }, log);
	const current = new CurrentThread(memory);
	const typedMemory = new WorkspaceMemory({ home, folders, of: 'typed' }, log);
	const keptInput = new KeptInput(typedMemory);
	const activity = new Activity();
	const walkthrough = store.add(new Walkthrough(log, context.globalState));
	const attention = store.add(
		new Attention({
			log,
			isChatVisible: () => chat.isVisible,
			isWanted: () => settings.current['prowess.chat.notify'],
			showChat: () => chat.focus(),
		}),
	);

	// The trusted base: where every effect happens
	const changedFiles = store.add(new ChangedFiles());
	const signIn = new EditorSignIn(context.secrets, context.extension.id);
	const comments: Comments = store.add(
		new Comments({ log, home, workspace, chat: { insert: (all) => chat.insert(all) } }),
	);
	const hostPorts = editorHostPorts({
		log,
		home,
		dist,
		workspace,
		settings,
		attention,
		changedFiles,
		showComment: async (written) => (await comments.load()).write(written),
		secrets: context.secrets,
		signIn,
		server: () => server.peer(),
	});
	const readOrganisation = async () => {
		settings.adopt(await loadOrganisation(systemPlace(process.platform), home, new AbortController().signal));
	};
	const base = new LazyBase(hostPorts, readOrganisation, (created) => {
		store.add(announceBase(created, announcements));
		const followers = [capabilities, mcp, automation, changedFiles, shownLevel, ledgerPage];
		for (const each of followers) store.add(each.follow(created));
		store.add(created.memory.onDidChange(() => overview.refreshSoon()));
		store.add(followAgents(created, { current, chat, log }));
		const noticing = noticeHooks(created, context.workspaceState, () => reviewHooks(trusted.base));
		inBackground(log, 'hooks of the project', noticing);
	});
	const trusted = { base: () => base.get(), server: () => server.peer() } as const;
	const readDesk = () => base.now?.desk.current ?? { approvals: [], questions: [] };

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
		async createProcess(wrap) {
			const library = await import('./server/watched-client.ts');
			const redact = (text: string) => base.now?.redact(text) ?? text;
			return new EditorServerProcess({ library, module: join(dist, 'server.mjs'), channel, log, redact, wrap });
		},
		serve: (peer) => serveEditorServer(peer, services),
		handshake: (peer, signal, isRecorded) => shakeHands(peer, services, signal, isRecorded),
		sentenceOf: explainError,
	});

	// Parts that the user sees
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
	const changeDocuments = store.add(new ChangeDocuments(() => base.get()));
	const worktreeDocuments = store.add(new WorktreeDocuments());
	const proposals = store.add(
		new Proposals({
			log,
			desk: () => base.now?.desk,
			shownThread: () => current.id,
			opensByItself: () => settings.current['prowess.approvals.openDiff'],
		}),
	);
	const inlineEdits = store.add(new LazyInlineEdits({ workspace, base: () => base.get() }));
	const keyboard = new ChatKeyboard(log);
	const modeOfNew = () => settings.current['prowess.mode'];
	const createPorts = chatPorts({
		log,
		home,
		workspace,
		base,
		server,
		keys,
		current,
		activeEditor,
		shownLevel,
		keyboard,
		keptInput,
		proposals,
		changeDocuments,
		inlineEdits,
		workspaceState,
		kept: context.workspaceState,
		missingFolder: () => findMissingFolder(workspace),
		viewSettings,
		modeOfNew,
		async showWith(threadId, insertion) {
			await chat.showThread(threadId);
			await chat.insert(insertion);
		},
		tellTyped: (typed, tab) => chat.tellTyped(typed, tab),
		pages: () => pages,
		showPage: (address) => capabilities.pages.show(address),
		letServerWrite: async (name, path) => letServerWrite((await base.get()).mcp, name, path),
	});
	const empty = emptyThreads({ ...trusted, mode: modeOfNew });
	const tabs: ChatTabs = store.add(
		new ChatTabs({ log, extensionUri: context.extensionUri, current, ...empty, createPorts }),
	);
	const chat: ChatView = store.add(
		new ChatView({ extensionUri: context.extensionUri, tabs, createPorts: createPorts(undefined) }),
	);
	const overview = store.add(
		new Overview({
			desk: readDesk,
			currentThread: () => current.id,
			changes: async (threadId) => (await base.get()).changes.list(threadId),
			// The list loads nothing for it.
			memoriesToReview: async () => (await base.now?.memory.list({ state: 'inbox' }))?.length ?? 0,
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
		home,
		...trusted,
		activity,
		restartServer: (wrap) => server.restart(wrap),
		onShowLedger: () => walkthrough.take('ledger'),
		examined: () => ({
			version: String(context.extension.packageJSON.version),
			home,
			ripgrepCandidates: hostPorts.places.ripgrepCandidates,
			workspace,
			settings,
		}),
	});
	const { documents, ledgerPage, tracePage } = store.add(pages);
	store.add(tracePage.follow(activity));
	const userSecrets: UserSecretPorts = { secrets: hostPorts.secrets, onValue: (value) => base.now?.addSecret(value) };
	const capabilities = store.add(
		createCapabilityViews({
			log,
			extensionUri: context.extensionUri,
			home,
			workspace,
			workspaceState: context.workspaceState,
			settings,
			userSecrets,
			base: () => base.get(),
			thread: async () => (server.running === undefined ? null : shownThread(server.running, current, log)),
			server: () => server.peer(),
			automation: automationTabs({
				base: () => base.get(),
				home: homePlace(process.env),
				extensionUri: context.extensionUri,
				server: () => server.peer().catch(() => undefined),
				hasProject: () => workspace.folders.length > 0,
			}),
			knownThreads: (signal) => readKnownThreads(server.running, signal),
			showChat: () => chat.focus(),
		}),
	);
	const mcp = store.add(
		createMcpViews({
			workspace,
			settings,
			base: () => base.get(),
			showChat: () => chat.focus(),
			showLog: () => documents.show('mcpLog'),
			store: async (name, value) => {
				base.now?.addSecret(value);
				await hostPorts.secrets.set(name, value);
			},
			renewLog: () => documents.renew('mcpLog'),
			reveal: () => capabilities.view.reveal('mcp'),
			refresh: () => capabilities.view.refresh('mcp'),
		}),
	);
	const automation = createAutomationViews({
		log,
		workspace,
		pages: capabilities.pages,
		activity,
		base: () => base.get(),
		showChat: () => chat.focus(),
	});
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
		tabs,
		shownLevel,
		keyboard,
		server,
		base: () => base.get(),
		documents,
		worktreeDocuments,
		beginThread: (folder) => empty.begin(folder),
		changeDocuments,
		proposals,
		inlineEdits,
		comments,
		ledgerPage,
		tracePage,
		ruleTest: pages.ruleTest,
		redactionPreview: pages.redactionPreview,
		userSecrets,
		overview,
		capabilities,
		mcp,
		automation,
		walkthrough,
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
		walkthrough,
		workspaceState,
		viewSettings,
		activeEditor,
	};
	store.add(announceChanges(announcements));
	const isNamingWanted = () => settings.current['prowess.chat.titles'] === 'model';
	store.add(nameThreads({ log, activity, isWanted: isNamingWanted, ...trusted }));
	store.add(warnOfSettings(settings, log));
	store.add(new LevelStatusItem(shownLevel));
	store.add(shownLevel.onDidChange((shown) => chat.notify(levelNotifications.changed, shown)));
	shownLevel.tell();
	store.add(followChangeDiff(() => walkthrough.take('review')));

	const inChat = { base: () => base.get(), server, workspace, createPorts: createPorts(undefined), begin: empty.begin };
	const doors = store.add(new Doors({ log, home, workspace, base: () => base.get() }));
	let closing: Promise<void> | undefined;
	return {
		chat,
		tabs,
		overview,
		documents,
		changeDocuments,
		proposals,
		ledgerPage,
		tracePage,
		capabilities,
		startServer: () => inBackground(log, 'server', server.peer()),
		answerInEditorChat: createHandOver(inChat),
		attendDoors: () => inBackground(log, 'doors', doors.attend()),
		followSchedules: () => inBackground(log, 'schedules', base.get()),
		async followLink(uri) {
			try {
				await followLink({ chat, signIn, pages: capabilities.pages, base: () => base.get() }, uri);
			} catch (error) {
				inBackground(log, 'link', showFailure(vscode.l10n.t('The link could not be followed.'), error, log));
			}
		},
		async runCommand(id, given) {
			try {
				walkthrough.takeBy(id);
				await commands[id](...given);
			} catch (error) {
				inBackground(log, id, showFailure(vscode.l10n.t('The command failed.'), error, log));
			}
		},
		close() {
			closing ??= (async () => {
				await Promise.all([server.close(), base.close(), memory.settled(), typedMemory.settled(), comments.settled()]);
				store.dispose();
			})();
			return closing;
		},
	};
}
