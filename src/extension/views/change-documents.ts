/** Changed files in the editor's own diff: the text before the first change of a thread or of a run against the file as it is. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import { besideChat } from '../editor/beside-chat.ts';
import { BEFORE_SCHEME } from '../editor/command-table.ts';
import { sayNothingChanged } from './keep-undo.ts';

/** Names the text of today, where the editor would show what lies behind a link. */
const NOW = 'now';

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
		if (colon < 0) {
			return '';
		}
		const { changes } = await this.#base();
		const { before, now } = await changes.before(uri.query.slice(0, colon), uri.query.slice(colon + 1));
		return (uri.fragment === NOW ? now : before) ?? '';
	}

	async show(owner: ChangeOwner, path: string): Promise<void> {
		const [, before, after] = await this.#resource(owner, path);
		const title = vscode.l10n.t('{0} (before ↔ now)', path.slice(path.lastIndexOf('/') + 1));
		await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true, ...besideChat() });
	}

	/** All of them in one multi-file diff. */
	async showAll(owner: ChangeOwner): Promise<void> {
		const { changes } = await this.#base();
		const list = await changes.list(owner);
		if (list.length === 0) {
			sayNothingChanged();
			return;
		}
		const resources = await Promise.all(list.map(({ path }) => this.#resource(owner, path)));
		await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changed Files'), resources);
	}

	/** Their before-images may be other ones now. */
	refresh(owner: ChangeOwner): void {
		for (const uri of this.#shown.values()) {
			if (uri.query.startsWith(`${owner}:`)) {
				this.#changed.fire(uri);
			}
		}
	}

	dispose(): void {
		this.#changed.dispose();
	}

	async #resource(
		owner: ChangeOwner,
		path: string,
	): Promise<[label: vscode.Uri, before: vscode.Uri, after: vscode.Uri]> {
		const { changes } = await this.#base();
		const { absolutePath, now: leadsTo } = await changes.before(owner, path);
		const isDeleted = (await changes.list(owner)).some((change) => change.path === path && change.kind === 'deleted');
		const now = vscode.Uri.file(absolutePath);
		// The same path as the file, else the editor shows a renaming.
		const before = now.with({ scheme: BEFORE_SCHEME, query: `${owner}:${path}` });
		this.#shown.set(before.toString(), before);
		const after = leadsTo === undefined ? now : before.with({ fragment: NOW });
		return [now, before, isDeleted ? before.with({ query: '' }) : after];
	}
}
