/** Describes the parts of a plugin for a question or a page; parts that run on this machine come first. */
import * as vscode from 'vscode';
import type { PluginPart } from '../../../protocol/plugin.ts';
import { pickText } from './pick-text.ts';

export function partTexts(parts: readonly PluginPart[], notTaken: readonly string[]): string[] {
	const t = vscode.l10n.t;
	const filterPartsByKind = (kind: PluginPart['kind']) => parts.filter((part) => part.kind === kind);
	const describePartNames = (label: string, kind: PluginPart['kind']) =>
		filterPartsByKind(kind).length === 0
			? []
			: [
					`${label}: ${filterPartsByKind(kind)
						.map(({ name }) => pickText(name))
						.join(', ')}`,
				];
	return [
		...filterPartsByKind('hook').map(({ name, says }) => t('Hook on {0} runs: {1}', pickText(name), pickText(says))),
		...filterPartsByKind('server').map(({ name, says, runs }) =>
			runs
				? t('MCP server {0} runs: {1}', pickText(name), pickText(says))
				: t('MCP server {0} connects to: {1}', pickText(name), pickText(says)),
		),
		...describePartNames(t('Skills'), 'skill'),
		...describePartNames(t('Commands'), 'command'),
		...describePartNames(t('Agents'), 'agent'),
		...(notTaken.length === 0 ? [] : [`${t('Not taken')}: ${notTaken.join(', ')}`]),
	];
}
