/** Keep and undo from commands and trees. Undo asks before it would drop work that was done after ours. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import { confirmLoss, inform, withProgress } from '../notices/notices.ts';

export async function keepOwnerChanges(
	base: TrustedBase,
	owner: ChangeOwner,
	paths: readonly string[] | undefined,
): Promise<void> {
	await base.changes.keep(owner, paths);
}

export async function undoOwnerChanges(
	base: TrustedBase,
	owner: ChangeOwner,
	paths: readonly string[] | undefined,
): Promise<void> {
	if (paths === undefined && !(await confirmAll(base, owner))) {
		return;
	}
	const undoFiles = (files: readonly string[] | undefined, isForced: boolean) =>
		withProgress(vscode.l10n.t('Undoing the changes'), (signal) => base.changes.undo(owner, files, isForced, signal));
	const { skipped } = await undoFiles(paths, false);
	if (skipped.length === 0) {
		return;
	}
	const text = vscode.l10n.t(
		'Files changed since then, by you or by another program: {0}. Undo discards those changes too.',
		skipped.length,
	);
	if (await confirmLoss(text, skipped, vscode.l10n.t('Undo Anyway'))) {
		await undoFiles(skipped, true);
	}
}

async function confirmAll(base: TrustedBase, owner: ChangeOwner): Promise<boolean> {
	const changes = await base.changes.list(owner);
	if (changes.length === 0) {
		sayNothingChanged();
		return false;
	}
	const text =
		changes.length === 1
			? vscode.l10n.t('Undo the changes in 1 file?')
			: vscode.l10n.t('Undo the changes in {0} files?', changes.length);
	const paths = changes.map(({ path }) => path);
	return confirmLoss(text, paths, vscode.l10n.t('Undo All'));
}

export function sayNothingChanged(): void {
	inform(vscode.l10n.t('There are no changes to show, keep or undo.'));
}
