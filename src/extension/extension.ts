/**
 * Entry point. `activate` registers what VS Code must know at once and returns; all else is made in `compose.ts` when it
 * is first needed: a command, the chat, the overview.
 */
import * as vscode from 'vscode';
import { BEFORE_SCHEME, CHAT_VIEW, commandIds, DOCUMENT_SCHEME, OVERVIEW_VIEW } from './command-table.ts';
import type { App } from './compose.ts';
import { limits } from './limits.ts';
import { StatusBar } from './views/status-bar.ts';
import type { OverviewNode } from './views/overview.ts';

let app: Promise<App> | undefined;

export function activate(context: vscode.ExtensionContext): void {
	const channel = vscode.window.createOutputChannel('Prowess', { log: true });
	const status = new StatusBar();
	const overviewChanged = new vscode.EventEmitter<void>();
	context.subscriptions.push(channel, status, overviewChanged);

	const start = (): Promise<App> => {
		app ??= import('./compose.ts').then(({ compose }) => compose({ context, channel, status, overviewChanged }));
		app.catch((error: unknown) => {
			app = undefined;
			showBrokenStart(channel, error);
		});
		return app;
	};

	for (const id of commandIds) {
		const run = async (...given: unknown[]) => (await start()).runCommand(id, given);
		context.subscriptions.push(vscode.commands.registerCommand(id, run));
	}
	const overview: vscode.TreeDataProvider<OverviewNode> = {
		onDidChangeTreeData: overviewChanged.event,
		getChildren: async (node) => (await start()).overview.getChildren(node),
		getTreeItem: async (node) => (await start()).overview.getTreeItem(node),
	};
	context.subscriptions.push(
		vscode.window.registerWebviewViewProvider(CHAT_VIEW, {
			resolveWebviewView: async (view) => (await start()).chat.attach(view),
		}),
		vscode.window.registerTreeDataProvider(OVERVIEW_VIEW, overview),
		vscode.workspace.registerTextDocumentContentProvider(BEFORE_SCHEME, lazily(start, 'changeDocuments', context)),
		vscode.workspace.registerTextDocumentContentProvider(DOCUMENT_SCHEME, lazily(start, 'documents', context)),
	);
}

export async function deactivate(): Promise<void> {
	const started = app;
	app = undefined;
	const closed = started
		?.then((running) => running.close())
		.catch(() => {
			// A start that failed was shown when it failed; there is nothing to close.
		});
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, limits.deactivateMs);
	});
	await Promise.race([closed, late]);
	clearTimeout(timer);
}

/** A provider that hears of changes only from the moment the app is there; before, nothing of it is shown. */
function lazily(
	start: () => Promise<App>,
	name: 'documents' | 'changeDocuments',
	context: vscode.ExtensionContext,
): vscode.TextDocumentContentProvider {
	const changed = new vscode.EventEmitter<vscode.Uri>();
	context.subscriptions.push(changed);
	let isLinked = false;
	return {
		onDidChange: changed.event,
		async provideTextDocumentContent(uri) {
			const provider = (await start())[name];
			if (!isLinked) {
				isLinked = true;
				context.subscriptions.push(provider.onDidChange((of) => changed.fire(of)));
			}
			return provider.provideTextDocumentContent(uri);
		},
	};
}

/** VS Code says nothing when an extension does not come up; we do. */
function showBrokenStart(channel: vscode.LogOutputChannel, error: unknown): void {
	const reason = error instanceof Error ? error.message : String(error);
	channel.error(`start: ${error instanceof Error ? (error.stack ?? reason) : reason}`);
	const logs = vscode.l10n.t('Show Logs');
	const text = vscode.l10n.t('Prowess could not be started: {0}', reason);
	vscode.window.showErrorMessage(text, logs).then(
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
