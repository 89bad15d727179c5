/**
 * Edits of selected lines: the user says what is to be done, the model's answer is shown as a diff against the file, and is
 * written, through the gate and undoable, only when it is accepted.
 */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { AcceptedEdit } from '../../contract/ports/feature-requests.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { toDocumentPath } from '../shown/message-refs.ts';
import { EDIT_SCHEME } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform, warn, withProgress } from '../notices/notices.ts';
import { inBackground } from '../editor/signals.ts';
import { toAbsolutePath } from '../editor/workspace-paths.ts';
import { namedIn, placeIn } from './code-place.ts';
import { type EditedLines, splitAroundLines, withLines } from './edited-text.ts';

interface InlineEditPorts {
	readonly log: LogPort;
	readonly workspace: WorkspacePort;
	base(): Promise<Pick<TrustedBase, 'editSelection' | 'acceptEdit' | 'redact'>>;
}

export class InlineEdits implements vscode.TextDocumentContentProvider {
	readonly #ports: InlineEditPorts;
	/** Proposals that are shown, by the address of their text. */
	readonly #open = new Map<string, AcceptedEdit & { readonly file: vscode.Uri }>();
	readonly #registered: vscode.Disposable;
	#made = 0;

	constructor(ports: InlineEditPorts) {
		this.#ports = ports;
		this.#registered = vscode.Disposable.from(
			vscode.workspace.registerTextDocumentContentProvider(EDIT_SCHEME, this),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#open.delete(uri.toString())),
		);
		// The editor opens them again after a restart, when nobody knows them any more.
		inBackground(ports.log, 'inline edits', closeTabs(isEditTab));
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.#open.get(uri.toString())?.text ?? '';
	}

	async propose(): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const path = toDocumentPath(this.#ports.workspace, editor?.document);
		if (editor === undefined || path === undefined) {
			inform(vscode.l10n.t('Open a file of the workspace first.'));
			return;
		}
		const { document } = editor;
		const lines = readSelectedLines(editor);
		const expected = document.getText();
		const instruction = await askWhat(document, lines);
		if (instruction === undefined) {
			return;
		}
		const base = await this.#ports.base();
		const parts = splitAroundLines(expected, lines);
		if (base.redact(parts.selected) !== parts.selected) {
			warn(vscode.l10n.t('These lines hold what looks like a secret, so they were not sent. Select fewer lines.'));
			return;
		}
		const request = { path, instruction, ...parts };
		const replacement = await withProgress(vscode.l10n.t('Editing {0}', basename(path)), (signal) =>
			base.editSelection(request, signal),
		);
		if (document.isClosed || document.getText() !== expected) {
			warn(vscode.l10n.t('{0} has changed meanwhile, so the edit was dropped. Nothing was written.', basename(path)));
			return;
		}
		const text = withLines(expected, lines, replacement);
		if (text === expected) {
			inform(vscode.l10n.t('The model would change nothing here.'));
			return;
		}
		await this.#show({ path, expected, text, file: document.uri }, lines);
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
			await this.#show({ path, expected, text, file: document.uri }, place);
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

	/** `uri`: of the shown proposal; from a button in its title. */
	async accept(uri: unknown): Promise<void> {
		const shown = this.#shownAt(uri);
		if (shown === undefined) {
			return;
		}
		const { key, edit } = shown;
		await closeTabs((tab) => isEditTab(tab) && tab.input.modified.toString() === key);
		const base = await this.#ports.base();
		const limit = { what: 'writing the edit', timeoutMs: extensionLimits.writeEditMs };
		await withTimeLimit(limit, (signal) => base.acceptEdit(edit, signal));
		await vscode.window.showTextDocument(edit.file);
	}

	async refuse(uri: unknown): Promise<void> {
		const shown = this.#shownAt(uri);
		if (shown !== undefined) {
			await closeTabs((tab) => isEditTab(tab) && tab.input.modified.toString() === shown.key);
			await vscode.window.showTextDocument(shown.edit.file);
		}
	}

	dispose(): void {
		this.#registered.dispose();
		this.#open.clear();
	}

	async #show(edit: AcceptedEdit & { readonly file: vscode.Uri }, { first }: EditedLines): Promise<void> {
		this.#made += 1;
		const uri = vscode.Uri.from({ scheme: EDIT_SCHEME, path: `/${edit.path}`, query: String(this.#made) });
		this.#open.set(uri.toString(), edit);
		const title = vscode.l10n.t('{0} (proposed)', basename(edit.path));
		const selection = new vscode.Range(first, 0, first, 0);
		await vscode.commands.executeCommand('vscode.diff', edit.file, uri, title, { preview: true, selection });
	}

	#shownAt(uri: unknown) {
		const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
		const shown =
			uri instanceof vscode.Uri ? uri : input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
		const key = shown?.toString() ?? '';
		const edit = this.#open.get(key);
		return edit === undefined ? undefined : { key, edit };
	}
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
		prompt: vscode.l10n.t('Say what to change. You see it as a diff before anything is written.'),
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Required.') : undefined),
	});
}

type EditTab = vscode.Tab & { readonly input: vscode.TabInputTextDiff };

function isEditTab(tab: vscode.Tab): tab is EditTab {
	return tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === EDIT_SCHEME;
}

async function closeTabs(which: (tab: vscode.Tab) => boolean): Promise<void> {
	await vscode.window.tabGroups.close(
		vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(which)),
		true,
	);
}
