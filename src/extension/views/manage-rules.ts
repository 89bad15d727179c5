/** *Manage Approval Rules*: what "always" saved, to be looked at and taken back. */
import * as vscode from 'vscode';
import { deriveSignal } from '../../base/derived-signal.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { limits } from '../limits.ts';
import { inform } from '../notices.ts';

export async function manageRules({ policy }: Pick<TrustedBase, 'policy'>): Promise<void> {
	const title = vscode.l10n.t('Manage Approval Rules');
	const limit = deriveSignal(new AbortController().signal, { what: title, timeoutMs: limits.doctorCheckMs });
	try {
		const { allow } = await policy.rules(limit.signal);
		const items = allow.flatMap(({ rule, scope }) =>
			scope === 'thread' ? [] : [{ label: rule, description: scopeText(scope), rule, scope }],
		);
		if (items.length === 0) {
			inform(vscode.l10n.t('No rules are saved. Choose "Always allow" in an approval to save one.'));
			return;
		}
		limit.pause();
		const picked = await vscode.window.showQuickPick(items, {
			title,
			placeHolder: vscode.l10n.t('Select the rules to remove'),
			canPickMany: true,
			matchOnDescription: true,
		});
		limit.resume();
		for (const { rule, scope } of picked ?? []) {
			await policy.removeRule(rule, scope, limit.signal);
		}
		if (picked !== undefined && picked.length > 0) {
			const rules = picked.map(({ rule }) => rule).join(', ');
			inform(vscode.l10n.t('Removed: {rules}. Prowess asks about this again.', { rules }));
		}
	} finally {
		limit.dispose();
	}
}

function scopeText(scope: 'project' | 'everywhere'): string {
	return scope === 'project' ? vscode.l10n.t('this project') : vscode.l10n.t('all projects');
}
