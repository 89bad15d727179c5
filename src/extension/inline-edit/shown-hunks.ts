/**
 * Proposed hunks in the editor of their file: below the lines that would go stand those that would come, with buttons. They
 * are comment threads, the only parts that an extension may put between the lines of an editor. The text itself is not
 * touched before a hunk is accepted, so nothing saves, checks or runs what nobody has accepted.
 */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { AcceptedEdit } from '../../contract/ports/feature-requests.ts';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { warn } from '../notices/notices.ts';
import {
	areEntangled,
	type FollowedLines,
	followLines,
	followLinesAt,
	type PlacedHunk,
	type TextChange,
	toLineChanges,
	toTextChange,
	withHunks,
} from './placed-hunks.ts';

interface ShownHunk {
	readonly document: vscode.TextDocument;
	readonly path: string;
	readonly thread: vscode.CommentThread;
	readonly label: string;
	place: PlacedHunk;
	lines: FollowedLines;
}

/** `prowess.inlineEdit` is what the menus in package.json go by. */
const CONTROLLER = 'prowess.inlineEdit';

export class ShownHunks {
	readonly #store = new DisposableStore();
	readonly #controller = this.#store.add(vscode.comments.createCommentController(CONTROLLER, 'Prowess'));
	readonly #goes = this.#store.add(
		vscode.window.createTextEditorDecorationType({
			isWholeLine: true,
			backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
			overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
			overviewRulerLane: vscode.OverviewRulerLane.Center,
			// No theme has to have a colour for removed lines.
			textDecoration: 'line-through',
		}),
	);
	#open: readonly ShownHunk[] = [];
	/** Documents that an accepted hunk is being written to. */
	readonly #written = new Set<vscode.TextDocument>();

	constructor() {
		this.#store.add(vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)));
		this.#store.add(vscode.workspace.onDidCloseTextDocument((document) => this.#remove(this.#of(document))));
		this.#store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.#mark()));
		this.#store.add(vscode.window.onDidChangeTextEditorSelection(() => this.#tellMenus()));
		this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#tellMenus()));
	}

	/** Shows them in the place of those that they would entangle. */
	show(document: vscode.TextDocument, path: string, hunks: readonly PlacedHunk[]): void {
		this.#remove(this.#of(document).filter(({ place }) => hunks.some((hunk) => areEntangled(hunk, place))));
		const shown = hunks.map((place, index) => ({
			document,
			path,
			...this.#createThread(document, place, vscode.l10n.t('Proposed change {0} of {1}', index + 1, hunks.length)),
			place,
			lines: followLinesAt(place.first, place.anchor),
		}));
		this.#open = [...this.#open, ...shown];
		this.#changed();
	}

	/**
	 * Takes the hunk of a button, or the one at the cursor, or all of the active file. `write` writes them; they go when
	 * it resolves. Where it rejects, they stay.
	 */
	async accept(given: unknown, write: (edit: AcceptedEdit) => Promise<void>): Promise<void> {
		const found = this.#find(given);
		const accepted = found.filter(({ lines }) => lines.isThere);
		const [first] = accepted;
		if (first === undefined) {
			if (found.length > 0) {
				warn(sayChanged());
			}
			return;
		}
		const { document, path } = first;
		const before = document.getText();
		const places = accepted.map(({ place }) => place);
		const after = withHunks(before, places);
		this.#written.add(document);
		// The editor's own change does not always say which of two like lines it means.
		let known = { text: before, changes: [] as readonly TextChange[] };
		try {
			await write({ path, expected: before, text: after });
			known = { text: after, changes: toLineChanges(places) };
			this.#remove(accepted);
		} finally {
			this.#written.delete(document);
			const now = document.getText();
			const changes = now === known.text ? known.changes : [...known.changes, toTextChange(known.text, now)];
			this.#followThrough(document, changes);
		}
	}

	refuse(given: unknown): void {
		this.#remove(this.#find(given));
	}

	dispose(): void {
		this.#remove(this.#open);
		this.#store.dispose();
	}

	#createThread(document: vscode.TextDocument, place: PlacedHunk, label: string): Pick<ShownHunk, 'thread' | 'label'> {
		const body = new vscode.MarkdownString();
		if (place.added.length > 0) {
			body.appendCodeblock(escapeInvisible(place.added.join('\n'), 'lines'), document.languageId);
		}
		const thread = this.#controller.createCommentThread(document.uri, toRange(place), [
			// The name of the author is the heading of a comment.
			{ body, mode: vscode.CommentMode.Preview, author: { name: describeHunk(place) } },
		]);
		thread.label = label;
		thread.canReply = false;
		thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
		return { thread, label };
	}

	#of(document: vscode.TextDocument | undefined): readonly ShownHunk[] {
		return this.#open.filter((each) => each.document === document);
	}

	#find(given: unknown): readonly ShownHunk[] {
		const isOfButton = typeof given === 'object' && given !== null;
		const atCursor = given === 'all' ? undefined : this.#atCursor();
		const found = isOfButton
			? // None where a second click comes after the first has taken it.
				this.#open.filter(({ thread }) => thread === given)
			: atCursor === undefined
				? this.#of(vscode.window.activeTextEditor?.document)
				: [atCursor];
		return found.filter(({ document }) => !this.#written.has(document));
	}

	#atCursor(): ShownHunk | undefined {
		const editor = vscode.window.activeTextEditor;
		const line = editor?.selection.active.line ?? -1;
		return this.#of(editor?.document).find(
			({ place }) => line >= place.first && line < place.first + Math.max(1, place.removed.length),
		);
	}

	#follow(event: vscode.TextDocumentChangeEvent): void {
		if (!this.#written.has(event.document)) {
			this.#followThrough(event.document, toChanges(event));
		}
	}

	#followThrough(document: vscode.TextDocument, changes: readonly TextChange[]): void {
		const text = document.getText();
		for (const each of this.#of(document)) {
			const { isThere } = each.lines;
			each.lines = followLines(each.lines, changes, text);
			const [first = each.place.first] = each.lines.places;
			if (first !== each.place.first) {
				each.place = { ...each.place, first };
				each.thread.range = toRange(each.place);
			}
			if (isThere !== each.lines.isThere) {
				each.thread.label = each.lines.isThere ? each.label : sayChanged();
			}
		}
		this.#mark();
	}

	#remove(hunks: readonly ShownHunk[]): void {
		if (hunks.length > 0) {
			this.#open = this.#open.filter((each) => !hunks.includes(each));
			for (const { thread } of hunks) {
				thread.dispose();
			}
			this.#changed();
		}
	}

	#changed(): void {
		this.#mark();
		this.#tellMenus();
		const files = [...new Set(this.#open.map(({ document }) => document.uri.fsPath))];
		void vscode.commands.executeCommand('setContext', 'prowess.editedFiles', files);
	}

	#mark(): void {
		for (const editor of vscode.window.visibleTextEditors) {
			const going = this.#of(editor.document).filter(({ place, lines }) => lines.isThere && place.removed.length > 0);
			editor.setDecorations(
				this.#goes,
				going.map(({ place }) => toRange(place)),
			);
		}
	}

	#tellMenus(): void {
		void vscode.commands.executeCommand('setContext', 'prowess.atEdit', this.#atCursor() !== undefined);
	}
}

function sayChanged(): string {
	return vscode.l10n.t('These lines have changed. Undo that to accept the edit, or refuse it.');
}

function describeHunk({ first, removed, added }: PlacedHunk): string {
	if (removed.length > 0) {
		return added.length > 0 ? vscode.l10n.t('Replace the marked lines by') : vscode.l10n.t('Remove the marked lines');
	}
	return first === 0 ? vscode.l10n.t('Add at the top of the file') : vscode.l10n.t('Add below this line');
}

export function toChanges({ contentChanges }: vscode.TextDocumentChangeEvent): readonly TextChange[] {
	return contentChanges.map(({ range: { start, end }, text }) => ({ start, end, text }));
}

export function sayDropped(document: vscode.TextDocument): void {
	const name = basename(document.uri.fsPath);
	warn(vscode.l10n.t('{0} has changed meanwhile, so the edit was dropped. Nothing was written.', name));
}

/** Range below which the hunk is shown; of new lines it is the line above them. */
function toRange({ first, removed }: PlacedHunk): vscode.Range {
	return removed.length > 0
		? new vscode.Range(first, 0, first + removed.length - 1, Number.MAX_SAFE_INTEGER)
		: new vscode.Range(Math.max(0, first - 1), 0, Math.max(0, first - 1), 0);
}
