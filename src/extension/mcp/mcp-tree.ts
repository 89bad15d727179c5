/** The view *MCP Servers*: each server with its state, and below it the tools that the user has agreed to. */
import * as vscode from 'vscode';
import type { McpServerInfo } from '../../capability-host/mcp/mcp-servers.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { ChangingTree } from '../views/changing-tree.ts';

type McpNode =
	| { readonly kind: 'mcpServer'; readonly server: McpServerInfo }
	| { readonly kind: 'mcpTool'; readonly server: string; readonly tool: string }
	| { readonly kind: 'mcpProblem'; readonly problem: string };

export class McpTree extends ChangingTree<McpNode> {
	readonly #base: () => Promise<TrustedBase>;
	readonly #isTrusted: () => boolean;

	constructor(isTrusted: () => boolean, base: () => Promise<TrustedBase>) {
		super();
		this.#isTrusted = isTrusted;
		this.#base = base;
	}

	protected async makeRows(): Promise<McpNode[]> {
		if (!this.#isTrusted()) {
			return [];
		}
		const { servers, problems } = await (await this.#base()).mcp.list();
		return [
			...servers.map((server): McpNode => ({ kind: 'mcpServer', server })),
			...problems.map((problem): McpNode => ({ kind: 'mcpProblem', problem })),
		];
	}

	protected rowsBelow(node: McpNode): readonly McpNode[] {
		return node.kind === 'mcpServer'
			? (node.server.tools ?? []).map((tool) => ({ kind: 'mcpTool', server: node.server.name, tool }))
			: [];
	}

	getTreeItem(node: McpNode): vscode.TreeItem {
		switch (node.kind) {
			case 'mcpServer':
				return serverItem(node.server);
			case 'mcpTool': {
				const item = new vscode.TreeItem(node.tool);
				item.iconPath = new vscode.ThemeIcon('symbol-method');
				return item;
			}
			case 'mcpProblem': {
				const item = new vscode.TreeItem(line(node.problem));
				item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
				item.tooltip = line(node.problem);
				return item;
			}
		}
	}
}

function serverItem({ name, state, tools, source, address, path, failure }: McpServerInfo): vscode.TreeItem {
	const hasTools = tools !== undefined && tools.length > 0;
	const item = new vscode.TreeItem(
		name,
		hasTools ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
	);
	item.description = [
		stateText(state),
		...(tools === undefined ? [] : [toolCount(tools.length)]),
		sourceText(source),
	].join(' · ');
	item.iconPath = ICONS[state]();
	item.contextValue = `mcpServer.${state}`;
	item.tooltip = [line(address), path, ...(failure === undefined ? [] : [line(failure)])].join('\n');
	item.accessibilityInformation = { label: `${name}, ${item.description}` };
	return item;
}

const ICONS: { readonly [S in McpServerInfo['state']]: () => vscode.ThemeIcon } = {
	running: () => new vscode.ThemeIcon('plug', new vscode.ThemeColor('testing.iconPassed')),
	stopped: () => new vscode.ThemeIcon('plug'),
	notAllowed: () => new vscode.ThemeIcon('debug-disconnect'),
	disabled: () => new vscode.ThemeIcon('circle-slash'),
	failed: () => new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
};

function stateText(state: McpServerInfo['state']): string {
	const t = vscode.l10n.t;
	switch (state) {
		case 'running':
			return t('running');
		case 'stopped':
			return t('stopped');
		case 'notAllowed':
			return t('not allowed yet');
		case 'disabled':
			return t('disabled');
		case 'failed':
			return t('failed');
	}
}

function toolCount(count: number): string {
	return count === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', count);
}

function line(text: string): string {
	return escapeInvisible(text, 'line');
}

function sourceText(source: McpServerInfo['source']): string {
	return source === 'plugin'
		? vscode.l10n.t('plugin')
		: source === 'settings' || source === 'copilot'
			? vscode.l10n.t('yours')
			: vscode.l10n.t('project');
}
