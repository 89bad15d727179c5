/** Keep and undo from commands and trees. Undo asks before it would drop work that was done after ours. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import type { ThreadId } from '../../protocol/ids.ts';

export async function keepChanges(
	base: TrustedBase,
	threadId: ThreadId,
	paths: readonly string[] | undefined,
): Promise<void> {
	await base.changes.keep(threadId, paths);
}

export async function undoChanges(
	base: TrustedBase,
	threadId: ThreadId,
	paths: readonly string[] | undefined,
): Promise<void> {
	const { signal } = new AbortController();
	if (paths === undefined && !(await confirmAll(base, threadId))) {
		return;
	}
	const { skipped } = await base.changes.undo(threadId, paths, false, signal);
	if (skipped.length === 0) {
		return;
	}
	const undo = vscode.l10n.t('Undo Anyway');
	const chosen = await vscode.window.showWarningMessage(
		vscode.l10n.t(
			'{0} files were changed again since, by you or by something else. Undo drops those changes too.',
			skipped.length,
		),
		{ modal: true, detail: skipped.join('\n') },
		undo,
	);
	if (chosen === undo) {
		await base.changes.undo(threadId, skipped, true, signal);
	}
}

async function confirmAll(base: TrustedBase, threadId: ThreadId): Promise<boolean> {
	const changes = await base.changes.list(threadId);
	if (changes.length === 0) {
		void vscode.window.showInformationMessage(vscode.l10n.t('This thread has changed no file.'));
		return false;
	}
	const undo = vscode.l10n.t('Undo All');
	const text = vscode.l10n.t('Undo the changes of this thread in {0} files?', changes.length);
	const detail = changes.map(({ path }) => path).join('\n');
	return (await vscode.window.showWarningMessage(text, { modal: true, detail }, undo)) === undo;
}
