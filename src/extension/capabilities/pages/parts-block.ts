/** Everything that a plugin brings, on its page: what runs on this machine with its command line. */
import { escapeToLine } from '../../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import type { PluginPart } from '../../../protocol/plugin.ts';

export function partsBlock(parts: readonly PluginPart[], notTaken: readonly string[]): PageBlock {
	const t = vscode.l10n.t;
	return {
		kind: 'terms',
		title: t('Brings'),
		rows: [
			...parts.map(({ kind, name, says, runs }) => ({
				term: escapeToLine(`${kind} ${name}`),
				meaning: escapeToLine(
					kind === 'hook' || kind === 'server' ? says : runs ? t('{0} (with scripts)', says) : says,
				),
				isRefused: false,
			})),
			...notTaken.map((what) => ({ term: escapeToLine(what), meaning: t('not taken'), isRefused: true })),
		],
		none: t('None.'),
	};
}
