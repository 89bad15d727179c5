/** Hooks of a plugin run only after a yes of their own, which whoever enables it is told. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { InstalledCapability } from '../../../protocol/marketplace.ts';
import { inform } from '../../notices/notices.ts';
import { installedRef } from './installed-ref.ts';

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
