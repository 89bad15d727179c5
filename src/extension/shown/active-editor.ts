/** Follows what the user looks at: the file of the active editor, and the lines that are selected in it. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { ActiveFile } from '../../protocol/thread/context.ts';
import { extensionLimits } from '../editor/limits.ts';
import { toDocumentPath, selectedLines } from './message-refs.ts';

export class ActiveEditor {
	readonly #workspace: WorkspacePort;
	readonly #store = new DisposableStore();
	readonly #changed = this.#store.add(new Emitter<ActiveFile | null>());
	readonly onDidChange = this.#changed.event;
	#timer: NodeJS.Timeout | undefined;

	constructor(workspace: WorkspacePort) {
		this.#workspace = workspace;
		this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#soon()));
		this.#store.add(vscode.window.onDidChangeTextEditorSelection(() => this.#soon()));
	}

	/** Null: no file of the workspace is shown. */
	get current(): ActiveFile | null {
		const editor = vscode.window.activeTextEditor;
		const path = toDocumentPath(this.#workspace, editor?.document);
		if (editor === undefined || path === undefined) {
			return null;
		}
		const lines = selectedLines(editor);
		return { path, ...(lines === undefined ? {} : { startLine: lines.start.line + 1, endLine: lines.end.line + 1 }) };
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#store.dispose();
	}

	/** A selection that is drawn with the mouse changes many times. */
	#soon(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#changed.fire(this.current);
		}, extensionLimits.activeFileMs);
	}
}
