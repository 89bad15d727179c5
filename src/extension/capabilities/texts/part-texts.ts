/** Describes the parts of a plugin for a question or a page; parts that run on this machine come first. */
import * as vscode from 'vscode';
import type { PluginPart } from '../../../protocol/plugin.ts';
import { pickText } from './pick-text.ts';

export function partTexts(parts: readonly PluginPart[], notTaken: readonly string[]): string[] {
	const t = vscode.l10n.t;
	const of = (kind: PluginPart['kind']) => parts.filter((part) => part.kind === kind);
	const names = (label: string, kind: PluginPart['kind']) =>
		of(kind).length === 0
			? []
			: [
					`${label}: ${of(kind)
						.map(({ name }) => pickText(name))
						.join(', ')}`,
				];
	return [
		...of('hook').map(({ name, says }) => t('Hook on {0} runs: {1}', pickText(name), pickText(says))),
		...of('server').map(({ name, says, runs }) =>
			runs
				? t('MCP server {0} runs: {1}', pickText(name), pickText(says))
				: t('MCP server {0} connects to: {1}', pickText(name), pickText(says)),
		),
		...names(t('Skills'), 'skill'),
		...names(t('Commands'), 'command'),
		...names(t('Agents'), 'agent'),
		...(notTaken.length === 0 ? [] : [`${t('Not taken')}: ${notTaken.join(', ')}`]),
	];
}
