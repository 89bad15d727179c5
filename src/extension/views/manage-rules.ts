/** *Manage Approval Rules*: what "always" saved, to be looked at and taken back. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/with-time-limit.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { limits } from '../limits.ts';
import { inform } from '../notices.ts';

export async function manageRules({ policy }: Pick<TrustedBase, 'policy'>): Promise<void> {
	const title = vscode.l10n.t('Manage Approval Rules');
	const limit = { what: title, timeoutMs: limits.doctorCheckMs };
	const { allow } = await withTimeLimit(limit, (signal) => policy.rules(signal));
	const items = allow.flatMap(({ rule, scope }) =>
		scope === 'thread' ? [] : [{ label: rule, description: scopeText(scope), rule, scope }],
	);
	if (items.length === 0) {
		inform(vscode.l10n.t('No rules are saved. Choose "Always allow" in an approval to save one.'));
		return;
	}
	const picked = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: vscode.l10n.t('Select the rules to remove'),
		canPickMany: true,
		matchOnDescription: true,
	});
	if (picked === undefined || picked.length === 0) {
		return;
	}
	await withTimeLimit(limit, async (signal) => {
		for (const { rule, scope } of picked) {
			await policy.removeRule(rule, scope, signal);
		}
	});
	const rules = picked.map(({ rule }) => rule).join(', ');
	inform(vscode.l10n.t('Removed: {rules}. Prowess asks about this again.', { rules }));
}

function scopeText(scope: 'project' | 'everywhere'): string {
	return scope === 'project' ? vscode.l10n.t('this project') : vscode.l10n.t('all projects');
}
