/** Keep and undo from commands and trees, of files and of the hunk at the cursor. Undo asks before it would drop work that was done after ours. */
import * as vscode from 'vscode';
import type { Hunk } from '../../contract/changes.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import { BEFORE_SCHEME } from '../editor/command-table.ts';
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

/** Tells menus whether the diff of a change is in front. */
export function followChangeDiff(onShown: () => void): vscode.Disposable {
	const tellChangeShown = () => {
		const isShown = shownChange() !== undefined;
		void vscode.commands.executeCommand('setContext', 'prowess.inChange', isShown);
		if (isShown) {
			onShown();
		}
	};
	tellChangeShown();
	return vscode.window.tabGroups.onDidChangeTabs(tellChangeShown);
}

export async function keepHunk({ changes }: Pick<TrustedBase, 'changes'>): Promise<void> {
	await onHunk({ changes }, async ({ owner, path }, hunk) => void (await changes.keepHunk(owner, path, hunk)));
}

export async function undoHunk({ changes }: Pick<TrustedBase, 'changes'>): Promise<void> {
	await onHunk({ changes }, async ({ owner, path }, hunk) => {
		await withProgress(vscode.l10n.t('Undoing the changes'), (signal) => changes.undoHunk(owner, path, hunk, signal));
	});
}

interface ShownChange {
	readonly owner: ChangeOwner;
	readonly path: string;
}

async function onHunk(
	{ changes }: Pick<TrustedBase, 'changes'>,
	act: (change: ShownChange, hunk: Hunk) => Promise<void>,
): Promise<void> {
	const shown = shownChange();
	const hunks = shown === undefined ? [] : await changes.hunks(shown.owner, shown.path);
	const line = (vscode.window.activeTextEditor?.selection.active.line ?? 0) + 1;
	const hunk = hunks.find((each) => line < each.line + Math.max(1, each.added.length)) ?? hunks.at(-1);
	if (shown === undefined || hunk === undefined) {
		sayNothingChanged();
		return;
	}
	await act(shown, hunk);
}

function shownChange(): ShownChange | undefined {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	if (!(input instanceof vscode.TabInputTextDiff) || input.original.scheme !== BEFORE_SCHEME) {
		return undefined;
	}
	const { query } = input.original;
	const colon = query.indexOf(':');
	return colon < 0 ? undefined : { owner: query.slice(0, colon), path: query.slice(colon + 1) };
}
