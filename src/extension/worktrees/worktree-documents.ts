/** Changes of a worktree in the editor's own diffs, and conflicts in its merge editor; the folder is not opened for it. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorktreeView } from '../../features/worktrees/worktree-register.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { WORKTREE_SCHEME } from '../editor/command-table.ts';
import { inform } from '../notices/notices.ts';

type ComparedTexts = Pick<TrustedBase['worktrees'], 'texts'>;

export class WorktreeDocuments implements vscode.TextDocumentContentProvider {
	/** Texts that are shown, by the query of their address. */
	readonly #texts = new Map<string, string>();
	readonly #registered = vscode.workspace.registerTextDocumentContentProvider(WORKTREE_SCHEME, this);

	provideTextDocumentContent({ query }: vscode.Uri): string {
		return this.#texts.get(query) ?? '';
	}

	dispose(): void {
		this.#registered.dispose();
	}

	/** Shows all of them in one multi-file diff against what the worktree was made from, or what was applied last. */
	async show(worktrees: ComparedTexts, { name, folder }: WorktreeView): Promise<void> {
		const { t } = vscode.l10n;
		const files = await worktrees.texts(name, new AbortController().signal);
		if (files.length === 0) {
			inform(t('{0} has no changes.', name));
			return;
		}
		const resources = files.map(({ path, before, now }) => {
			const file = vscode.Uri.file(join(folder, path));
			return [
				file,
				this.#textAt(file, `${name}:before`, before),
				now === undefined ? this.#textAt(file, `${name}:now`, '') : file,
			];
		});
		await vscode.commands.executeCommand('vscode.changes', t('Changes of {0}', name), resources);
	}

	/** The result is the file of the workspace; nothing is written before the user saves it. */
	async merge(worktrees: ComparedTexts, { name, folder }: WorktreeView, path: string, target: string): Promise<void> {
		const { t } = vscode.l10n;
		const files = await worktrees.texts(name, new AbortController().signal);
		const file = files.find((each) => each.path === path);
		const output = vscode.Uri.file(target);
		const ours = (await vscode.workspace.openTextDocument(output)).getText();
		await vscode.commands.executeCommand('_open.mergeEditor', {
			base: this.#textAt(output, `${name}:base`, file?.before ?? ''),
			input1: { uri: this.#textAt(output, `${name}:ours`, ours), title: t('This folder') },
			input2: {
				uri: this.#textAt(vscode.Uri.file(join(folder, path)), `${name}:theirs`, file?.now ?? ''),
				title: name,
			},
			output,
		});
	}

	#textAt(file: vscode.Uri, what: string, text: string): vscode.Uri {
		// The same path as the file, else the editor shows a renaming.
		const query = `${what}:${file.path}`;
		this.#texts.set(query, text);
		return file.with({ scheme: WORKTREE_SCHEME, query });
	}
}
