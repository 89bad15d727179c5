/** Read-only documents of ours: the doctor's report and others, made when they are opened and at each refresh. */
import * as vscode from 'vscode';
import { DOCUMENT_SCHEME } from '../editor/command-table.ts';

type DocumentName = 'doctor' | 'rule' | 'redaction' | 'mcpLog';

const files: { readonly [N in DocumentName]: string } = {
	doctor: 'Prowess Doctor.md',
	rule: 'Prowess Rule.txt',
	redaction: 'Prowess Redaction.txt',
	mcpLog: 'Prowess MCP Servers.log',
};

export class EditorDocuments implements vscode.TextDocumentContentProvider {
	readonly #render: { readonly [N in DocumentName]: () => Promise<string> };
	readonly #changed = new vscode.EventEmitter<vscode.Uri>();
	readonly onDidChange = this.#changed.event;

	constructor(render: { readonly [N in DocumentName]: () => Promise<string> }) {
		this.#render = render;
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const name = (Object.keys(files) as DocumentName[]).find((candidate) => toDocumentUri(candidate).path === uri.path);
		return name === undefined ? '' : this.#render[name]();
	}

	async show(name: DocumentName): Promise<void> {
		const uri = toDocumentUri(name);
		// An open one is made again: what was true a while ago is not what was asked for.
		this.renew(name);
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { preview: false });
	}

	/** Shows the document as rendered Markdown; _Show Source_ in the title of the preview leads to its source. */
	async preview(name: DocumentName): Promise<void> {
		const uri = toDocumentUri(name);
		this.renew(name);
		// So that it is made again where the preview shows it already.
		await vscode.workspace.openTextDocument(uri);
		try {
			await vscode.commands.executeCommand('markdown.showPreview', uri);
			await vscode.commands.executeCommand('markdown.preview.refresh');
		} catch {
			// The editor's own Markdown extension is disabled.
			await this.show(name);
		}
	}

	/** When it is shown. */
	renew(name: DocumentName): void {
		this.#changed.fire(toDocumentUri(name));
	}

	refresh(uri: vscode.Uri | undefined): void {
		const target = uri ?? vscode.window.activeTextEditor?.document.uri;
		if (target?.scheme === DOCUMENT_SCHEME) {
			this.#changed.fire(target);
		}
	}

	dispose(): void {
		this.#changed.dispose();
	}
}

function toDocumentUri(name: DocumentName): vscode.Uri {
	return vscode.Uri.from({ scheme: DOCUMENT_SCHEME, path: `/${files[name]}` });
}
