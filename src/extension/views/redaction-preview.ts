/** *Preview Redaction*: what would be struck out of the selection, or of the clipboard when nothing is selected. */
import * as vscode from 'vscode';
import type { TrustedBase } from '../../host/trusted-base.ts';

export class EditorRedactionPreview {
	readonly #base: () => Promise<TrustedBase>;
	#text = '';

	constructor(base: () => Promise<TrustedBase>) {
		this.#base = base;
	}

	/** Takes the text of now. */
	async take(): Promise<void> {
		const editor = vscode.window.activeTextEditor;
		const selected = editor === undefined ? '' : editor.document.getText(editor.selection);
		this.#text = selected === '' ? await vscode.env.clipboard.readText() : selected;
	}

	async text(): Promise<string> {
		return (await this.#base()).previewRedaction(this.#text);
	}
}
