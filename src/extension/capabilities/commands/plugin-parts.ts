/** Parts of an installed plugin: which are in effect, as the user ticks them in one list, and its hooks, which need a yes of their own. */
import * as vscode from 'vscode';
import type { InstalledRef } from '../../../catalog/marketplace/installed-versions.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { InstalledCapability } from '../../../protocol/capability/marketplace.ts';
import type { PluginPart } from '../../../protocol/capability/plugin.ts';
import { isNodeOfKind } from '../../editor/changing-tree.ts';
import { inform, withProgress } from '../../notices/notices.ts';
import { pickText } from '../texts/value-texts.ts';

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
	const options = { title, canPickMany: true, matchOnDetail: true, ignoreFocusOut: true } as const;
	const chosen = await vscode.window.showQuickPick(items, options);
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

/** Says so of a plugin that has hooks, with the way to look at them. Resolves when that was read. */
export async function tellOfHooks(
	marketplace: TrustedBase['marketplace'],
	installed: InstalledCapability,
): Promise<void> {
	const { parts } = await marketplace.parts(installedRef(installed));
	if (!parts.some(({ kind, isEnabled }) => kind === 'hook' && isEnabled)) {
		return;
	}
	const review = vscode.l10n.t('Review Hooks');
	const text = vscode.l10n.t('The hooks of {0} do not run before you allow them.', installed.name);
	if ((await inform(text, review)) === review) {
		await vscode.commands.executeCommand('prowess.reviewHooks');
	}
}

/** Returns the package of the node that a command was called on; undefined for any other node. */
export function findNodePackage(node: unknown): InstalledCapability | undefined {
	return isNodeOfKind<{ readonly installed: InstalledCapability }>(node, 'package') ? node.installed : undefined;
}

/** Names an installed package the way the marketplace does. */
export function installedRef({ name, type, scope, folder }: InstalledCapability): InstalledRef {
	return { name, type, scope, ...(folder === null ? {} : { folder }) };
}
