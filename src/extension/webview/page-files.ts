/**
 * Files and options that every page of ours shares, whichever face it shows, and what each page may ask of the editor.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml, type PageFiles, scriptOfFace } from '../../protocol/pages/page-html.ts';

/** Scripts from our own folders, and nothing else: no commands in links, no other files. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
	const roots = ['dist', 'media'].map((folder) => vscode.Uri.joinPath(extensionUri, folder));
	return { enableScripts: true, enableCommandUris: false, localResourceRoots: roots };
}

/** Gives a panel our options and our icon. */
export function dressPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): void {
	panel.webview.options = webviewOptions(extensionUri);
	const toIconUri = (file: string) => vscode.Uri.joinPath(extensionUri, 'media', file);
	panel.iconPath = { light: toIconUri('prowess-light.svg'), dark: toIconUri('prowess.svg') };
}

export function renderPageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, face: PageFiles['face']): string {
	const toDistUri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
	return pageHtml({
		face,
		scriptUri: toDistUri(scriptOfFace(face)),
		styleUris: [toDistUri('codicon.css'), toDistUri('webview.css')],
		cspSource: webview.cspSource,
		nonce: randomUUID().replaceAll('-', ''),
		language: vscode.env.language,
		title: 'Prowess',
	});
}

/** Translations for a page: it looks up its own English sentences. */
export function pageStrings(): Record<string, string> {
	const found = Object.entries(vscode.l10n.bundle ?? {});
	return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
