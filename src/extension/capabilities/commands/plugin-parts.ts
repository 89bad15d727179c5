/** Which parts of an installed plugin are in effect: the user ticks them in one list. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { InstalledCapability } from '../../../protocol/marketplace.ts';
import type { PluginPart } from '../../../protocol/plugin.ts';
import { inform, withProgress } from '../../notices/notices.ts';
import { installedRef } from './installed-ref.ts';
import { pickText } from '../texts/pick-text.ts';

export async function chooseParts({ marketplace }: TrustedBase, installed: InstalledCapability): Promise<void> {
	const { name } = installed;
	const ref = installedRef(installed);
	const { parts } = await marketplace.parts(ref);
	if (parts.length === 0) {
		inform(vscode.l10n.t('{0} is not a plugin, so it has no parts to choose.', name));
		return;
	}
	// Hooks of one plugin go together.
	const seen = new Set<string>();
	const items = parts
		.filter(({ place }) => !seen.has(place) && seen.add(place))
		.map((part) => ({
			label: pickText(partLabel(part)),
			detail: pickText(
				part.kind === 'hook'
					? parts
							.filter(({ kind }) => kind === 'hook')
							.map(({ says }) => says)
							.join('; ')
					: part.says,
			),
			picked: part.isEnabled,
			part,
		}));
	const title = vscode.l10n.t('Parts of {0} That Are in Effect', name);
	const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true, matchOnDetail: true });
	if (chosen === undefined) {
		return;
	}
	const changed = items.filter((item) => chosen.includes(item) !== item.part.isEnabled);
	await withProgress(vscode.l10n.t('Changing the parts of {0}', name), async (signal) => {
		for (const { part } of changed) await marketplace.setPartEnabled(ref, part.word, !part.isEnabled, signal);
	});
}

function partLabel({ kind, name }: PluginPart): string {
	const t = vscode.l10n.t;
	switch (kind) {
		case 'skill':
			return t('Skill {0}', name);
		case 'command':
			return t('Command {0}', name);
		case 'agent':
			return t('Agent {0}', name);
		case 'server':
			return t('MCP server {0}', name);
		case 'hook':
			return t('Hooks');
	}
}
