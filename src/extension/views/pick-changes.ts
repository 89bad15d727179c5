/** Whose changes a command shows, keeps or undoes: those of the thread that is shown, or of a run outside of any thread. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import type { ChangeOwner, FileChange } from '../../protocol/changes.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { sayNothingChanged } from './keep-undo.ts';

interface ChangesOptions {
	readonly threadId: ThreadId | null;
	/** The title of a run, when this window has started it. */
	titleOf(executionId: string): string | undefined;
}

/** Asks where there are several. Undefined, and said, when there are none; undefined when nothing was picked. */
export async function pickChanges(
	{ changes }: Pick<TrustedBase, 'changes'>,
	{ threadId, titleOf }: ChangesOptions,
): Promise<ChangeOwner | undefined> {
	const [ofThread, ofExecutions] = await Promise.all([
		threadId === null ? [] : changes.list(threadId),
		changes.ofExecutions(),
	]);
	const items = ofExecutions.map((each) => ({
		label: titleOf(each.executionId) ?? vscode.l10n.t('Run of a capability'),
		description: new Date(each.since).toLocaleString(vscode.env.language),
		detail: pathsOf(each.changes),
		owner: each.executionId,
	}));
	if (threadId !== null && ofThread.length > 0) {
		const label = vscode.l10n.t('This thread');
		items.unshift({ label, description: '', detail: pathsOf(ofThread), owner: threadId });
	}
	if (items.length === 0) {
		sayNothingChanged();
		return undefined;
	}
	const title = vscode.l10n.t('Whose Changes?');
	return (items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title }))?.owner;
}

function pathsOf(changes: readonly FileChange[]): string {
	return changes.map(({ path }) => path).join(', ');
}
