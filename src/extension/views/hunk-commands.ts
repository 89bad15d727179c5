/** Keep and undo of one hunk, in the diff of a change: the hunk in which the cursor stands, or the next one. */
import * as vscode from 'vscode';
import type { Hunk } from '../../contract/changes.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import { BEFORE_SCHEME } from '../editor/command-table.ts';
import { withProgress } from '../notices/notices.ts';
import { sayNothingChanged } from './keep-undo.ts';

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
