/**
 * Providers that VS Code must know at once, and whose work the app does, which is made when VS Code first asks. They hear
 * of changes only from that moment on: before, nothing of them is shown.
 */
import * as vscode from 'vscode';
import type { ListInput, RunInput } from './capabilities/language-model-tools.ts';
import { CHAT_PARTICIPANT, LIST_TOOL, MCP_PROVIDER, RUN_TOOL } from './editor/command-table.ts';
import type { ExtensionApp } from './app.ts';

interface LazyApp {
	readonly context: vscode.ExtensionContext;
	start(): Promise<ExtensionApp>;
}

/**
 * Creates a view of the side bar. VS Code lays out a view that is opened for the first time before its list is made,
 * and shows no row until the next layout, two seconds later. A message, even an empty one, lays it out at once.
 */
export function lazyView<N>(
	app: LazyApp,
	id: string,
	pick: (
		app: ExtensionApp,
	) => vscode.TreeDataProvider<N> & { readonly onDidChangeTreeData: vscode.Event<N[] | undefined | void> },
): vscode.TreeView<N> {
	const { onDidChange, provider } = createLazyProvider<ReturnType<typeof pick>, N[] | undefined | void>(
		app,
		pick,
		(each) => each.onDidChangeTreeData,
	);
	const treeDataProvider: vscode.TreeDataProvider<N> = {
		onDidChangeTreeData: onDidChange,
		getChildren: async (node) => (await provider()).getChildren(node),
		getTreeItem: async (node) => (await provider()).getTreeItem(node),
	};
	const view = vscode.window.createTreeView(id, { treeDataProvider });
	const layOut = () => {
		view.message = '';
	};
	app.context.subscriptions.push(view, view.onDidChangeVisibility(layOut));
	return view;
}

export function lazyDocuments(
	app: LazyApp,
	pick: (app: ExtensionApp) => vscode.TextDocumentContentProvider & { readonly onDidChange: vscode.Event<vscode.Uri> },
): vscode.TextDocumentContentProvider {
	const { onDidChange, provider } = createLazyProvider<ReturnType<typeof pick>, vscode.Uri>(
		app,
		pick,
		(each) => each.onDidChange,
	);
	return {
		onDidChange,
		provideTextDocumentContent: async (uri, token) => (await provider()).provideTextDocumentContent(uri, token),
	};
}

export function lazyFiles(
	app: LazyApp,
	pick: (app: ExtensionApp) => vscode.FileSystemProvider,
): vscode.FileSystemProvider {
	const { onDidChange, provider } = createLazyProvider<vscode.FileSystemProvider, vscode.FileChangeEvent[]>(
		app,
		pick,
		(each) => each.onDidChangeFile,
	);
	return {
		onDidChangeFile: onDidChange,
		watch: () => new vscode.Disposable(() => {}),
		stat: async (uri) => (await provider()).stat(uri),
		readFile: async (uri) => (await provider()).readFile(uri),
		writeFile: async (uri, content, options) => (await provider()).writeFile(uri, content, options),
		readDirectory: async (uri) => (await provider()).readDirectory(uri),
		createDirectory: async (uri) => (await provider()).createDirectory(uri),
		delete: async (uri, options) => (await provider()).delete(uri, options),
		rename: async (from, to, options) => (await provider()).rename(from, to, options),
	};
}

/** Every run is confirmed by the user, in the words of the editor. */
export function registerTools({ start }: Pick<LazyApp, 'start'>): vscode.Disposable {
	const loadTools = async () => (await start()).capabilities.tools;
	return vscode.Disposable.from(
		vscode.lm.registerTool<ListInput>(LIST_TOOL, { invoke: async ({ input }) => (await loadTools()).list(input) }),
		vscode.lm.registerTool<RunInput>(RUN_TOOL, {
			prepareInvocation: async ({ input }) => (await loadTools()).confirmation(input),
			invoke: async ({ input }, token) => (await loadTools()).run(input, token),
		}),
	);
}

/** Offers our MCP server to VS Code's agent, in editors that know such servers. */
export function offerMcpServer(context: vscode.ExtensionContext): vscode.Disposable {
	const { lm, workspace }: { readonly lm: Partial<typeof vscode.lm>; readonly workspace: typeof vscode.workspace } =
		vscode;
	const offered = lm.registerMcpServerDefinitionProvider?.(MCP_PROVIDER, {
		onDidChangeMcpServerDefinitions: (listener: () => void) =>
			vscode.Disposable.from(
				workspace.onDidGrantWorkspaceTrust(listener),
				workspace.onDidChangeWorkspaceFolders(listener),
				workspace.onDidChangeConfiguration((what) => what.affectsConfiguration('prowess') && listener()),
			),
		provideMcpServerDefinitions: async () => (await import('./mcp/offered-server.ts')).describeServers(context),
	});
	return vscode.Disposable.from(...(offered === undefined ? [] : [offered]));
}

/** Answers what is said to us in VS Code's own chat, in editors that have one. */
export function registerParticipant({ context, start }: LazyApp): vscode.Disposable {
	const { chat }: { readonly chat: Partial<typeof vscode.chat> | undefined } = vscode;
	const participant = chat?.createChatParticipant?.(CHAT_PARTICIPANT, async (...asked) =>
		(await start()).answerInEditorChat(...asked),
	);
	if (participant === undefined) return vscode.Disposable.from();
	const icon = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'media', name);
	participant.iconPath = { light: icon('prowess-light.svg'), dark: icon('prowess.svg') };
	participant.followupProvider = {
		provideFollowups: async (result) => (await import('./chat/participant.ts')).suggestFollowups(result),
	};
	return participant;
}

function createLazyProvider<P, T>(
	{ context, start }: LazyApp,
	pick: (app: ExtensionApp) => P,
	changes: (provider: P) => vscode.Event<T>,
): { readonly onDidChange: vscode.Event<T>; provider(): Promise<P> } {
	const changed = new vscode.EventEmitter<T>();
	context.subscriptions.push(changed);
	let isLinked = false;
	return {
		onDidChange: changed.event,
		async provider() {
			const provider = pick(await start());
			if (!isLinked) {
				isLinked = true;
				context.subscriptions.push(changes(provider)((what) => changed.fire(what)));
			}
			return provider;
		},
	};
}
