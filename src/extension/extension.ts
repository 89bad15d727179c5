/**
 * Entry point. `activate` registers what VS Code must know at once and returns; all else is made in `compose.ts` when it
 * is first needed: a command, the chat, the overview.
 */
import * as vscode from 'vscode';
import { raceTimeout } from '../base/time/bounded-wait.ts';
import { onCapabilities, onManifest, onProgram } from './capabilities/manifest-files.ts';
import {
	BEFORE_SCHEME,
	CAPABILITIES_VIEW,
	CAPABILITY_PAGE,
	CHAT_TAB,
	CHAT_VIEW,
	commandIds,
	DOCUMENT_SCHEME,
	LEDGER_PAGE,
	TRACE_PAGE,
	OVERVIEW_VIEW,
	PROPOSAL_SCHEME,
} from './editor/command-table.ts';
import type { ExtensionApp } from './app.ts';
import {
	lazyDocuments,
	lazyFiles,
	lazyView,
	offerMcpServer,
	registerParticipant,
	registerTools,
} from './lazy-providers.ts';
import { extensionLimits } from './editor/limits.ts';
import { showErrorNotice } from './notices/notices.ts';
import { problemActionKinds, problemActions, selectionActionKinds, selectionActions } from './editor/code-actions.ts';
import { wakeForDoors } from './approvals/doors.ts';
import { wakeForSchedules } from './automation/follow-schedules.ts';
import { StatusBar } from './views/status-bar.ts';

let app: Promise<ExtensionApp> | undefined;

export function activate(context: vscode.ExtensionContext): void {
	const channel = vscode.window.createOutputChannel('Prowess', { log: true });
	const status = new StatusBar();
	context.subscriptions.push(channel, status);

	const start = (): Promise<ExtensionApp> => {
		app ??= import('./compose.ts').then(({ composeExtension }) => composeExtension({ context, channel, status }));
		app.catch((error: unknown) => {
			app = undefined;
			showBrokenStart(channel, error);
		});
		return app;
	};

	for (const id of commandIds) {
		const runById = async (...given: unknown[]) => (await start()).runCommand(id, given);
		context.subscriptions.push(vscode.commands.registerCommand(id, runById));
	}
	const lazy = { context, start };
	lazyView(lazy, OVERVIEW_VIEW, ({ overview }) => overview);
	const documents = vscode.workspace.registerTextDocumentContentProvider;
	context.subscriptions.push(
		vscode.window.registerWebviewViewProvider(CHAT_VIEW, {
			resolveWebviewView: async (view) => (await start()).chat.attach(view),
		}),
		vscode.window.registerWebviewViewProvider(CAPABILITIES_VIEW, {
			resolveWebviewView: async (view) => (await start()).capabilities.view.attach(view),
		}),
		vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, problemActions, problemActionKinds),
		vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, selectionActions, selectionActionKinds),
		registerTools(lazy),
		offerMcpServer(context),
		registerParticipant(lazy),
		wakeForSchedules(() => void start().then(({ followSchedules }) => followSchedules(), ignoreShownFailure)),
		wakeForDoors(() => void start().then(({ attendDoors }) => attendDoors(), ignoreShownFailure)),
		vscode.window.registerUriHandler({ handleUri: async (uri) => (await start()).followLink(uri) }),
		onManifest(() => void start().then(({ startServer }) => startServer(), ignoreShownFailure)),
		lookAtPrograms(context),
		findTests(context, channel),
		documents(
			BEFORE_SCHEME,
			lazyDocuments(lazy, ({ changeDocuments }) => changeDocuments),
		),
		documents(
			DOCUMENT_SCHEME,
			lazyDocuments(lazy, (app) => app.documents),
		),
		vscode.workspace.registerFileSystemProvider(
			PROPOSAL_SCHEME,
			lazyFiles(lazy, ({ proposals }) => proposals),
			{ isCaseSensitive: true },
		),
		vscode.window.registerWebviewPanelSerializer(CHAT_TAB, {
			deserializeWebviewPanel: async (panel, state) => (await start()).tabs.restore(panel, state),
		}),
		vscode.window.registerWebviewPanelSerializer(CAPABILITY_PAGE, {
			deserializeWebviewPanel: async (panel, state) => (await start()).capabilities.pages.restore(panel, state),
		}),
		vscode.window.registerWebviewPanelSerializer(LEDGER_PAGE, {
			deserializeWebviewPanel: async (panel, state) => (await start()).ledgerPage.restore(panel, state),
		}),
		vscode.window.registerWebviewPanelSerializer(TRACE_PAGE, {
			deserializeWebviewPanel: async (panel, state) => (await start()).tracePage.restore(panel, state),
		}),
	);
}

/** The check of programs is loaded with the first one. */
function lookAtPrograms(context: vscode.ExtensionContext): vscode.Disposable {
	const load = loadOnce(context, async (dist) => {
		const { ProgramProblems } = await import('./capabilities/program-problems.ts');
		return new ProgramProblems(dist);
	});
	return onProgram(extensionLimits.programRestMs, (folder) => {
		load()
			.then((problems) => problems.look(folder))
			.catch(ignoreShownFailure);
	});
}

/** Cases of capabilities, and what stands above the names of both, are loaded with the first capability. */
function findTests(context: vscode.ExtensionContext, channel: vscode.LogOutputChannel): vscode.Disposable {
	const load = loadOnce(context, async (dist) => {
		const { CapabilityTests } = await import('./capabilities/capability-tests.ts');
		return new CapabilityTests(dist, channel);
	});
	return onCapabilities(() => {
		load().then(
			(tests) => tests.lookSoon(),
			(error: unknown) => channel.error(String(error)),
		);
	});
}

/** `load` gets the folder of the built files; what it makes goes with the extension. */
function loadOnce<T extends vscode.Disposable>(
	{ extensionUri, subscriptions }: vscode.ExtensionContext,
	load: (dist: string) => Promise<T>,
): () => Promise<T> {
	let loaded: Promise<T> | undefined;
	return () =>
		(loaded ??= load(vscode.Uri.joinPath(extensionUri, 'dist').fsPath).then((made) => {
			subscriptions.push(made);
			return made;
		}));
}

export async function deactivate(): Promise<void> {
	const started = app;
	app = undefined;
	if (started === undefined) {
		return;
	}
	const closed = started
		.then((running) => running.close())
		.catch(() => {
			// A start that failed was shown when it failed; there is nothing to close.
		});
	await raceTimeout(closed, extensionLimits.deactivateMs);
}

/** A start that failed was shown by whoever made it. */
function ignoreShownFailure(): void {}

/** VS Code says nothing when an extension does not come up; we do. */
function showBrokenStart(channel: vscode.LogOutputChannel, error: unknown): void {
	const reason = error instanceof Error ? error.message : String(error);
	channel.error(`start: ${error instanceof Error ? (error.stack ?? reason) : reason}`);
	const logs = vscode.l10n.t('Show Logs');
	const text = vscode.l10n.t('Could not start Prowess: {0}', reason);
	showErrorNotice(text, logs).then(
		(chosen) => {
			if (chosen === logs) {
				channel.show();
			}
		},
		() => {
			// The window closes: nobody is there to read it.
		},
	);
}
