/** The tab *MCP*: each server with its state, the tools that the user has agreed to, and what can be done with it. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { McpServerInfo } from '../../../execution/mcp/mcp-servers.ts';
import { translateText, withArgs } from '../../../protocol/text/text.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import {
	type BuiltRow,
	type BuiltTab,
	createActionFactory,
	createTabBadge,
	problemRow,
	type TabAction,
	type TabMaker,
} from './built-tab.ts';

export function mcpTab(base: () => Promise<TrustedBase>): TabMaker {
	return async () => {
		const { servers, problems } = await (await base()).mcp.list();
		return createMcpTab(servers, problems);
	};
}

function createMcpTab(servers: readonly McpServerInfo[], problems: readonly string[]): BuiltTab {
	const t = vscode.l10n.t;
	const asking = servers.filter(({ state }) => state === 'notAllowed').length;
	const failed = servers.filter(({ state }) => state === 'failed').length + problems.length;
	const badge = createTabBadge(
		[asking, asking === 1 ? t('1 needs your consent') : t('{0} need your consent', asking)],
		[failed, failed === 1 ? t('1 problem') : t('{0} problems', failed)],
	);
	const add: TabAction = {
		command: 'workbench.action.openSettings',
		on: 'prowess.mcp.servers',
		label: t('Add an MCP Server'),
		icon: 'add',
	};
	return {
		sentence: t('Programs and services of others that give the agent further tools. Each asks before it starts.'),
		sections: [
			{
				id: 'problems',
				title: t('Problems'),
				sentence: '',
				rows: problems.map((problem) => problemRow(problem, 'warning')),
				isClosedAtFirst: false,
			},
			{ id: 'servers', title: t('Servers'), sentence: '', rows: servers.map(serverRow), isClosedAtFirst: false },
		],
		actions: [add, { command: 'prowess.showMcpLog', label: t('Show Log'), icon: 'output' }],
		empty: {
			text: t('No MCP server yet. Servers of .vscode/mcp.json, .mcp.json and Copilot are found by themselves.'),
			actions: [add],
		},
		...(badge === undefined ? {} : { badge }),
	};
}

function serverRow(server: McpServerInfo): BuiltRow {
	const t = vscode.l10n.t;
	const { name, state, tools, source, address, path, failure, oddities } = server;
	const on = { kind: 'mcpServer', server };
	const act = createActionFactory(on);
	return {
		id: `${path}\n${name}`,
		name: escapeToLine(name),
		icon: MCP_STATE_ICONS[state],
		isBusy: false,
		isQuiet: state === 'disabled',
		description: escapeToLine(address),
		facts: [
			describeMcpState(state),
			...(tools === undefined ? [] : [toolCount(tools.length)]),
			describeMcpSource(source),
		],
		marks: [
			...(state === 'notAllowed' ? [{ kind: 'consent' as const, text: t('Needs your consent') }] : []),
			...(failure === undefined ? [] : [{ kind: 'error' as const, text: escapeToLine(failure) }]),
			...oddities.map((oddity) => ({
				kind: 'warning' as const,
				text: translateText(withArgs(oddity, escapeToLine), (template) => t(template)),
			})),
		],
		parts: (tools ?? []).map(escapeToLine),
		opens: { command: 'prowess.openMcpEntry', on, label: t('Open Entry') },
		buttons: [
			...(state === 'running'
				? [
						act('prowess.restartMcpServer', t('Restart'), 'debug-restart'),
						act('prowess.stopMcpServer', t('Stop'), 'debug-stop'),
					]
				: state === 'disabled'
					? []
					: [act('prowess.startMcpServer', t('Start'), 'debug-start')]),
		],
		menu: [
			act('prowess.openMcpEntry', t('Open Entry'), 'go-to-file'),
			act('prowess.showMcpLog', t('Show Log'), 'output'),
			act('prowess.signOutOfMcpServer', t('Sign Out'), 'sign-out'),
		],
	};
}

const MCP_STATE_ICONS: { readonly [S in McpServerInfo['state']]: string } = {
	running: 'plug',
	stopped: 'debug-disconnect',
	notAllowed: 'debug-disconnect',
	disabled: 'circle-slash',
	failed: 'error',
};

function describeMcpState(state: McpServerInfo['state']): string {
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
		default:
			return state satisfies never;
	}
}

function toolCount(count: number): string {
	return count === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', count);
}

function describeMcpSource(source: McpServerInfo['source']): string {
	return source === 'plugin'
		? vscode.l10n.t('plugin')
		: source === 'settings' || source === 'copilot'
			? vscode.l10n.t('yours')
			: vscode.l10n.t('project');
}
