/** What permissions and risk levels mean, in words. */
import * as vscode from 'vscode';
import { readAllowedTool } from '../../../capability-host/gate/policy/allowed-tools.ts';
import { LEVEL_PERMISSIONS } from '../../../capability-host/gate/policy/execution-permissions.ts';
import type { PageBlock } from '../../../protocol/capability-page.ts';
import { PORT_PERMISSION } from '../../../protocol/marketplace.ts';
import { Permission, type RiskLevel } from '../../../protocol/risk.ts';
import { line } from './built-page.ts';

/** What it asks for, then the tools it may use without a question; what its level does not give it is said beside it. Words that are no permission here are shown as such. */
export function permissionsBlock(
	asked: readonly string[],
	level: RiskLevel,
	allowedTools: readonly string[] = [],
): PageBlock {
	return {
		kind: 'terms',
		title: vscode.l10n.t('Permissions'),
		rows: [...asked.map((word) => askedRow(word, level)), ...allowedTools.map(allowedRow)],
		none: vscode.l10n.t('None.'),
	};
}

type Row = Extract<PageBlock, { kind: 'terms' }>['rows'][number];

function askedRow(word: string, level: RiskLevel): Row {
	// Of an executor: the types whose capabilities it runs.
	const type = /^run:(.+)$/.exec(word)?.[1];
	if (type !== undefined) {
		const runs = vscode.l10n.t('run capabilities of type {0} with their permissions', type);
		return { term: line(word), meaning: runs, isRefused: false };
	}
	if (word === PORT_PERMISSION) {
		return { term: word, meaning: portText(), isRefused: false };
	}
	const permission = Permission.safeParse(word).data;
	const isRefused = permission === undefined || !LEVEL_PERMISSIONS[level].includes(permission);
	const meaning = permission === undefined ? vscode.l10n.t('not known here') : permissionText(permission);
	const refusal = vscode.l10n.t('{0}; not granted, because its level is {1}', meaning, level);
	return { term: line(word), meaning: permission !== undefined && isRefused ? refusal : meaning, isRefused };
}

function allowedRow(tool: string): Row {
	const isKnown = readAllowedTool(tool) !== undefined;
	const meaning = isKnown ? vscode.l10n.t('runs without asking once you consent') : vscode.l10n.t('not known here');
	return { term: line(tool), meaning, isRefused: !isKnown };
}

/** What `channel: loopback` of an executor means. */
export function portText(): string {
	return vscode.l10n.t(
		'opens a port on this machine (127.0.0.1) until it connects; other programs could try it, but need a token that only its process has',
	);
}

export function levelText(level: RiskLevel): string {
	switch (level) {
		case 'SAFE':
			return vscode.l10n.t('reads and changes none of your files');
		case 'MONITORED':
			return vscode.l10n.t('can read; every effect is recorded');
		case 'CONTROLLED':
			return vscode.l10n.t('can change files; asks for each new target');
		case 'RESTRICTED':
			return vscode.l10n.t('can run commands; asks every time unless one of your rules allows it');
		case 'PRIVILEGED':
			return vscode.l10n.t('can do everything it asks for; asks every time');
		default:
			return level satisfies never;
	}
}

function permissionText(permission: Permission): string {
	switch (permission) {
		case 'workspace.read':
			return vscode.l10n.t('read and search the files of the workspace');
		case 'workspace.write':
			return vscode.l10n.t('change, create and delete files of the workspace');
		case 'shell':
			return vscode.l10n.t('run commands');
		case 'editor':
			return vscode.l10n.t("see the editor's problems and symbols");
		case 'git':
			return vscode.l10n.t("read the repository's state and changes");
		case 'user':
			return vscode.l10n.t('ask you questions');
		case 'thread':
			return vscode.l10n.t('report progress and remaining work in the thread');
		case 'http':
			return vscode.l10n.t('send requests to web addresses');
		case 'secrets':
			return vscode.l10n.t('use secrets that you stored');
		case 'database':
			return vscode.l10n.t('query and change databases');
		case 'crypto':
			return vscode.l10n.t('hash, sign and encrypt');
		case 'capabilities':
			return vscode.l10n.t('start other capabilities with its own permissions and no more');
		case 'llm':
			return vscode.l10n.t('ask models');
		default:
			return permission satisfies never;
	}
}
