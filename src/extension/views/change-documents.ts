/** Changed files in the editor's own diff: the text before a thread's first change against the file as it is. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { ThreadId } from '../../protocol/ids.ts';
import { BEFORE_SCHEME } from '../command-table.ts';
import { inform } from '../notices.ts';

export class ChangeDocuments implements vscode.TextDocumentContentProvider {
	readonly #base: () => Promise<TrustedBase>;
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly onDidChange = this.#changed.event;
	readonly #shown = new Map<string, vscode.Uri>();

	constructor(base: () => Promise<TrustedBase>) {
		this.#base = base;
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const colon = uri.query.indexOf(':');
		const threadId = ThreadId.safeParse(uri.query.slice(0, Math.max(0, colon)));
		if (!threadId.success) {
			return '';
		}
		const { changes } = await this.#base();
		return (await changes.before(threadId.data, uri.query.slice(colon + 1))).before ?? '';
	}

	async show(threadId: ThreadId, path: string): Promise<void> {
		const [, before, after] = await this.#resource(threadId, path);
		const title = vscode.l10n.t('{0} (before ↔ now)', path.slice(path.lastIndexOf('/') + 1));
		await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
	}

	/** All of them in one multi-file diff. */
	async showAll(threadId: ThreadId): Promise<void> {
		const { changes } = await this.#base();
		const list = await changes.list(threadId);
		if (list.length === 0) {
			inform(vscode.l10n.t('This thread has not changed any files.'));
			return;
		}
		const resources = await Promise.all(list.map(({ path }) => this.#resource(threadId, path)));
		await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes of this thread'), resources);
	}

	/** Their before-images may be other ones now. */
	refresh(threadId: ThreadId): void {
		for (const uri of this.#shown.values()) {
			if (uri.query.startsWith(`${threadId}:`)) {
				this.#changed.fire(uri);
			}
		}
	}

	dispose(): void {
		this.#changed.dispose();
	}

	async #resource(
		threadId: ThreadId,
		path: string,
	): Promise<[label: vscode.Uri, before: vscode.Uri, after: vscode.Uri]> {
		const { changes } = await this.#base();
		const { absolutePath } = await changes.before(threadId, path);
		const isDeleted = (await changes.list(threadId)).some(
			(change) => change.path === path && change.kind === 'deleted',
		);
		const now = vscode.Uri.file(absolutePath);
		// The same path as the file, else the editor shows a renaming.
		const before = now.with({ scheme: BEFORE_SCHEME, query: `${threadId}:${path}` });
		this.#shown.set(before.toString(), before);
		return [now, before, isDeleted ? before.with({ query: '' }) : now];
	}
}
