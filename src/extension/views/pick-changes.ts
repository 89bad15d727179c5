/** Whose changes a command shows, keeps or undoes: those of the shown thread, of another one, or of a run outside of any. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ChangeOwner, FileChange } from '../../protocol/approvals/changes.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { sayNothingChanged } from './keep-undo.ts';

interface ChangesOptions {
	readonly threadId: ThreadId | null;
	/** The title of a run, when this window has started it. */
	titleOf(executionId: string): string | undefined;
	/** Titles of threads by their ids, as far as they are known. */
	threadTitles(): Promise<ReadonlyMap<string, string>>;
}

/** Asks where there are several. Undefined, and said, when there are none; undefined when nothing was picked. */
export async function pickChanges(
	{ changes }: Pick<TrustedBase, 'changes'>,
	{ threadId, titleOf, threadTitles }: ChangesOptions,
): Promise<ChangeOwner | undefined> {
	const [ofThreads, ofExecutions] = await Promise.all([changes.ofThreads(), changes.ofExecutions()]);
	const others = ofThreads.filter(({ owner }) => owner !== threadId);
	const titles = others.length === 0 ? new Map<string, string>() : await threadTitles();
	const items = [
		...ofThreads
			.filter(({ owner }) => owner === threadId)
			.map((each) => createChangesItem(vscode.l10n.t('This thread'), '', each.owner, each.changes)),
		...others.map((each) =>
			createChangesItem(titles.get(each.owner) ?? vscode.l10n.t('Another thread'), '', each.owner, each.changes),
		),
		...ofExecutions.map((each) =>
			createChangesItem(
				titleOf(each.executionId) ?? vscode.l10n.t('Run of a capability'),
				new Date(each.since).toLocaleString(vscode.env.language),
				each.executionId,
				each.changes,
			),
		),
	];
	if (items.length === 0) {
		sayNothingChanged();
		return undefined;
	}
	const title = vscode.l10n.t('Whose Changes?');
	return (items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title }))?.owner;
}

function createChangesItem(label: string, description: string, owner: ChangeOwner, changes: readonly FileChange[]) {
	return { label, description, detail: changes.map(({ path }) => path).join(', '), owner };
}
