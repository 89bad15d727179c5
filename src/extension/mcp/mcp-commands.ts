/** Commands of MCP servers. Each takes the row of the view it was called on, and asks for the server where it was called without. */
import * as vscode from 'vscode';
import type { McpServerInfo } from '../../execution/mcp/mcp-servers.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { escapeToLine } from '../../base/text/one-line.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type McpServerEntry, withWriteNeed } from '../../protocol/ops/mcp-server-entry.ts';
import type { McpCommandId } from '../editor/command-table.ts';
import { isNodeOfKind } from '../editor/changing-tree.ts';
import { confirmLoss, inform, pickOrInform, withProgress } from '../notices/notices.ts';

interface McpCommandPorts {
	/** Shows the servers in the side bar. */
	reveal(): Promise<void>;
	/** Renews what is shown of the servers, because their state has changed. */
	refresh(): void;
	base(): Promise<TrustedBase>;
	showChat(): Promise<void>;
	showLog(): Promise<void>;
	/** Keeps a secret of the user. */
	store(name: string, value: string): Promise<void>;
}

type McpCommands = { readonly [C in McpCommandId]: (...given: unknown[]) => Promise<void> };

export function createMcpCommands({ reveal, refresh, base, showChat, showLog, store }: McpCommandPorts): McpCommands {
	const onServer = async (
		node: unknown,
		title: string,
		act: (server: McpServerInfo, mcp: TrustedBase['mcp']) => Promise<unknown>,
		isOffered: (server: McpServerInfo) => boolean = () => true,
	) => {
		const { mcp } = await base();
		const server = serverIn(node) ?? (await pickServer((await mcp.list()).servers.filter(isOffered), title));
		if (server !== undefined) {
			await act(server, mcp);
			refresh();
		}
	};
	const startServer = async ({ name, state, missing }: McpServerInfo, mcp: TrustedBase['mcp']) => {
		for (const secret of missing) {
			const value = await askValue(name, secret);
			if (value === undefined) return;
			await store(secret, value);
		}
		const isAsked = state === 'notAllowed';
		const startInSight = async (signal: AbortSignal, report: (message: string) => void) => {
			if (isAsked) {
				report(vscode.l10n.t('needs your answer in the chat'));
				await showChat();
			}
			await mcp.look(name, signal);
		};
		// A notification would cover the question in the chat.
		const place = isAsked ? 'statusBar' : 'notification';
		await withProgress(vscode.l10n.t('Starting the MCP server {0}', name), startInSight, place);
	};
	return {
		'prowess.showMcpServers': () => reveal(),
		'prowess.startMcpServer': (node) =>
			onServer(
				node,
				vscode.l10n.t('Start MCP Server'),
				startServer,
				({ state }) => state !== 'running' && state !== 'disabled',
			),
		'prowess.restartMcpServer': (node) =>
			onServer(
				node,
				vscode.l10n.t('Restart MCP Server'),
				async (server, mcp) => {
					await mcp.stop(server.name);
					// A yes for one start is used up: the next one is asked for in the chat.
					const { servers } = await mcp.list();
					await startServer(servers.find(({ name }) => name === server.name) ?? server, mcp);
				},
				({ state }) => state === 'running' || state === 'failed',
			),
		'prowess.stopMcpServer': (node) =>
			onServer(
				node,
				vscode.l10n.t('Stop MCP Server'),
				({ name }, mcp) => mcp.stop(name),
				({ state }) => state === 'running',
			),
		'prowess.signOutOfMcpServer': (node) =>
			onServer(node, vscode.l10n.t('Sign Out of MCP Server'), async ({ name }, mcp) =>
				inform(
					(await mcp.signOut(name))
						? vscode.l10n.t('You are signed out of the MCP server {0}.', name)
						: vscode.l10n.t('You were not signed in at the MCP server {0}.', name),
				),
			),
		'prowess.openMcpEntry': (node) => onServer(node, vscode.l10n.t('Open Entry of MCP Server'), openEntry),
		'prowess.showMcpLog': () => showLog(),
	};
}

/**
 * Has the user decide whether a server may change one more folder, and writes a yes into its entry. The next start asks for their
 * consent, since the entry is another one then. A page may name only what the host itself found the server to lack.
 */
export async function letServerWrite(mcp: TrustedBase['mcp'], name: string, path: string): Promise<void> {
	const server = (await mcp.list()).servers.find((each) => each.name === name);
	const configuration = vscode.workspace.getConfiguration('prowess');
	const entries = configuration.get<Readonly<Record<string, McpServerEntry>>>('mcp.servers') ?? {};
	const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
	const shown = path === '.' ? vscode.l10n.t('the workspace') : escapeToLine(path);
	if (server === undefined || !mcp.lacks(name).includes(path)) {
		throw new ProwessError('INVALID_STATE', vscode.l10n.t('Have the agent call the tool again, then allow it.'), {});
	}
	if (server.source !== 'settings' || entry === undefined) {
		await openEntry(server);
		inform(
			vscode.l10n.t(
				'To let the MCP server {0} change {1}, add this to its entry: {2}',
				...[name, shown, `"needs": { "write": [${JSON.stringify(path)}] }`],
			),
		);
		return;
	}
	const detail = vscode.l10n.t(
		'This adds it to "needs.write" of the server’s entry in your settings. Undo does not bring back what the server changes there. Before it starts again, you are asked once more.',
	);
	const question = vscode.l10n.t('Let the MCP server {0} change {1}?', name, shown);
	if (!(await confirmLoss(question, [detail], vscode.l10n.t('Allow')))) return;
	await configuration.update(
		'mcp.servers',
		{ ...entries, [name]: withWriteNeed(entry, [path]) },
		vscode.ConfigurationTarget.Global,
	);
	await mcp.stop(name);
}

async function openEntry({ source, path }: McpServerInfo): Promise<unknown> {
	return source === 'settings'
		? await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: path } })
		: await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/** An input that its entry asks for, typed once and kept. Undefined: the user does not want to start it now. */
async function askValue(server: string, secret: string): Promise<string | undefined> {
	return await vscode.window.showInputBox({
		title: vscode.l10n.t('Start MCP Server'),
		prompt: vscode.l10n.t(
			'The MCP server {0} needs a value for {1}. It is kept in the secret store of VS Code.',
			server,
			secret,
		),
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (text === '' ? vscode.l10n.t('Paste the value.') : undefined),
	});
}

function serverIn(node: unknown): McpServerInfo | undefined {
	return isNodeOfKind<{ readonly server?: McpServerInfo }>(node, 'mcpServer') ? node.server : undefined;
}

async function pickServer(servers: readonly McpServerInfo[], title: string): Promise<McpServerInfo | undefined> {
	const items = servers.map((server) => ({ label: server.name, description: server.address, server }));
	const none = vscode.l10n.t('No MCP server is in a state for this command.');
	return (await pickOrInform(items, none, { title }))?.server;
}
