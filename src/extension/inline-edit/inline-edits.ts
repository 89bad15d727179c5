/**
 * Edits of selected lines: the user says what is to be done, the model's answer is shown between the lines of the file, and
 * each part of it is written, through the gate and undoable, only when it is accepted.
 */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { toDocumentPath } from '../shown/message-refs.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform, warn, withProgress } from '../notices/notices.ts';
import { toAbsolutePath } from '../editor/workspace-paths.ts';
import { namedIn, placeIn } from './code-place.ts';
import { type EditedLines, splitAroundLines, withLines } from './edited-text.ts';
import { followLines, followLinesAt, placeHunks, splitLines, toComparedText } from './placed-hunks.ts';
import { sayDropped, ShownHunks, toChanges } from './shown-hunks.ts';

export interface InlineEditPorts {
	readonly workspace: WorkspacePort;
	base(): Promise<Pick<TrustedBase, 'editSelection' | 'acceptEdit' | 'redact' | 'compareTexts'>>;
}

export class InlineEdits {
	readonly #ports: InlineEditPorts;
	readonly #shown = new ShownHunks();

	constructor(ports: InlineEditPorts) {
		this.#ports = ports;
	}

	async propose(): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const path = toDocumentPath(this.#ports.workspace, editor?.document);
		if (editor === undefined || path === undefined) {
			inform(vscode.l10n.t('Open a file of the workspace first.'));
			return;
		}
		const { document } = editor;
		const followed = followSelection(document, readSelectedLines(editor));
		try {
			await this.#proposeFor(document, path, followed);
		} finally {
			followed.dispose();
		}
	}

	async #proposeFor(document: vscode.TextDocument, path: string, followed: FollowedSelection): Promise<void> {
		const instruction = await askWhat(document, followed.first);
		const lines = followed.lines();
		if (instruction === undefined || lines === undefined) {
			return lines === undefined ? sayDropped(document) : undefined;
		}
		const base = await this.#ports.base();
		const parts = splitAroundLines(document.getText(), lines);
		if (base.redact(parts.selected) !== parts.selected) {
			warn(vscode.l10n.t('These lines hold what looks like a secret, so they were not sent. Select fewer lines.'));
			return;
		}
		const replacement = await withProgress(vscode.l10n.t('Editing {0}', basename(path)), (signal) =>
			base.editSelection({ path, instruction, ...parts }, signal),
		);
		const linesNow = followed.lines();
		if (linesNow === undefined) {
			sayDropped(document);
			return;
		}
		const text = withLines(document.getText(), linesNow, replacement);
		if (text === document.getText()) {
			inform(vscode.l10n.t('The model would change nothing here.'));
		} else {
			await this.#show(document, path, text);
		}
	}

	/**
	 * Shows code of an answer in its place: in the file that it names, else in the editor's, in the place of those lines
	 * that it repeats, else of the selected ones. False: there is no such place, so somebody who reads the file has to find it.
	 */
	async apply(given: string): Promise<boolean> {
		const { path: named, code } = namedIn(given);
		const document = await this.#documentAt(named);
		const path = toDocumentPath(this.#ports.workspace, document);
		if (document === undefined || path === undefined) {
			return false;
		}
		const expected = document.getText();
		const editor = vscode.window.activeTextEditor;
		const selected = editor?.document === document && !editor.selection.isEmpty ? readSelectedLines(editor) : undefined;
		const place = placeIn(expected, code) ?? (selected && { ...selected, code: code.replace(/\n$/, '') });
		if (place === undefined) {
			return false;
		}
		const text = withLines(expected, place, place.code);
		if (text === expected) {
			inform(vscode.l10n.t('{0} has this code already.', basename(path)));
		} else {
			await this.#show(document, path, text);
		}
		return true;
	}

	/** Opens the named document of the workspace; without a name, returns that of the active editor. */
	async #documentAt(named: string | undefined): Promise<vscode.TextDocument | undefined> {
		const absolute = named === undefined ? undefined : toAbsolutePath(this.#ports.workspace.folders, named);
		if (absolute === undefined) {
			return named === undefined ? vscode.window.activeTextEditor?.document : undefined;
		}
		try {
			return await vscode.workspace.openTextDocument(absolute);
		} catch {
			// The file does not exist, or is not a text.
			return undefined;
		}
	}

	/** `given`: the thread of a button, or `all` of the active file; else what is at the cursor. */
	async accept(given: unknown): Promise<void> {
		await this.#shown.accept(given, async (edit) => {
			const base = await this.#ports.base();
			const limit = { what: 'writing the edit', timeoutMs: extensionLimits.writeEditMs };
			await withTimeLimit(limit, (signal) => base.acceptEdit(edit, signal));
		});
	}

	refuse(given: unknown): void {
		this.#shown.refuse(given);
	}

	dispose(): void {
		this.#shown.dispose();
	}

	/** Shows what makes `text` of the document, in its editor. */
	async #show(document: vscode.TextDocument, path: string, text: string): Promise<void> {
		const base = await this.#ports.base();
		const before = document.getText();
		const compared = base.compareTexts(toComparedText(before), toComparedText(text));
		const hunks = placeHunks(before, text, compared);
		const editor = await vscode.window.showTextDocument(document);
		this.#shown.show(document, path, hunks);
		const first = hunks[0]?.first ?? 0;
		editor.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

interface FollowedSelection extends vscode.Disposable {
	/** Where they were at first. */
	readonly first: EditedLines;
	/** Where they are; undefined: somebody has changed one of them, or the file is closed. */
	lines(): EditedLines | undefined;
}

/** Follows selected lines while somebody types elsewhere in their file. */
function followSelection(document: vscode.TextDocument, first: EditedLines): FollowedSelection {
	const selected = splitLines(document.getText()).slice(first.first, first.last + 1);
	let followed = followLinesAt(first.first, selected);
	const listening = vscode.workspace.onDidChangeTextDocument((event) => {
		if (event.document === document) {
			followed = followLines(followed, toChanges(event), document.getText());
		}
	});
	return {
		first,
		lines() {
			const [place = 0] = followed.places;
			const isThere = followed.isThere && !document.isClosed;
			return isThere ? { first: place, last: place + selected.length - 1 } : undefined;
		},
		dispose: () => void listening.dispose(),
	};
}

/** The selected lines; without a selection, that of the cursor. */
function readSelectedLines({ selection: { start, end } }: vscode.TextEditor): EditedLines {
	const isBeforeFirstLetter = end.character === 0 && end.line > start.line;
	return { first: start.line, last: isBeforeFirstLetter ? end.line - 1 : end.line };
}

function askWhat(document: vscode.TextDocument, { first, last }: EditedLines): Thenable<string | undefined> {
	const name = basename(document.uri.fsPath);
	return vscode.window.showInputBox({
		title:
			first === last
				? vscode.l10n.t('Edit Line {0} of {1}', first + 1, name)
				: vscode.l10n.t('Edit Lines {0} to {1} of {2}', first + 1, last + 1, name),
		prompt: vscode.l10n.t('Say what to change. You see it in place before anything is written.'),
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Required.') : undefined),
	});
}
