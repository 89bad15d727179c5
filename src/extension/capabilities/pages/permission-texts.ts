/** Texts that explain permissions and risk levels. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import { readAllowedTool } from '../../../trust/gate/policy/rules/allowed-tools.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import { PORT_PERMISSION } from '../../../protocol/capability/marketplace.ts';
import {
	riskLevelTexts as levels,
	permissionText,
	loopbackPortText as portMeaning,
} from '../../../protocol/approvals/permission-text.ts';
import { LEVEL_PERMISSIONS, Permission, type RiskLevel } from '../../../protocol/ops/risk.ts';
import { translateText } from '../../../protocol/text/text.ts';

/**
 * Builds the block of permissions asked for, then of the tools that may be used without a question. A permission that
 * the level does not grant is marked as not granted; an unknown word is shown as unknown.
 */
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

/** Says what they permit, in one line. */
export function describePermissions(asked: readonly string[], level: RiskLevel): string {
	// Some meanings hold commas and semicolons.
	return asked.map((word) => askedRow(word, level).meaning).join(' · ');
}

type PermissionRow = Extract<PageBlock, { kind: 'terms' }>['rows'][number];

function askedRow(word: string, level: RiskLevel): PermissionRow {
	// Executors ask for `run:<type>`: the type of the capabilities that they run.
	const type = /^run:(.+)$/.exec(word)?.[1];
	if (type !== undefined) {
		const runs = vscode.l10n.t('run capabilities of type {0} with their permissions', type);
		return { term: escapeToLine(word), meaning: runs, isRefused: false };
	}
	if (word === PORT_PERMISSION) {
		return { term: word, meaning: translatePortText(), isRefused: false };
	}
	const permission = Permission.safeParse(word).data;
	const isRefused = permission === undefined || !LEVEL_PERMISSIONS[level].includes(permission);
	const meaning = permission === undefined ? vscode.l10n.t('not known here') : translatePermission(permission, level);
	const refusal = vscode.l10n.t('{0}; not granted, because its level is too low', meaning);
	return { term: escapeToLine(word), meaning: permission !== undefined && isRefused ? refusal : meaning, isRefused };
}

function allowedRow(tool: string): PermissionRow {
	const isKnown = readAllowedTool(tool) !== undefined;
	const meaning = isKnown ? vscode.l10n.t('runs without asking once you consent') : vscode.l10n.t('not known here');
	return { term: escapeToLine(tool), meaning, isRefused: !isKnown };
}

export function translatePortText(): string {
	return translateText(portMeaning, (template) => vscode.l10n.t(template));
}

export function describeRiskLevel(level: RiskLevel): string {
	return translateText(levels[level], (template) => vscode.l10n.t(template));
}

function translatePermission(permission: Permission, level: RiskLevel): string {
	return translateText(permissionText(permission, level), (template) => vscode.l10n.t(template));
}
