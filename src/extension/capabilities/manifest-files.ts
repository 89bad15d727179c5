/**
 * Manifests in the editor: the language service of the server is told of them, and starts when one is opened; *Run* stands
 * above the name.
 */
import * as vscode from 'vscode';

export const capabilityFiles = { scheme: 'file', pattern: '**/capability.{yaml,yml}' } as const;

export const manifestFiles: readonly { readonly scheme: string; readonly pattern: string }[] = [
	capabilityFiles,
	{ scheme: 'file', pattern: '**/executor.{yaml,yml}' },
	{ scheme: 'file', pattern: '**/SKILL.md' },
];

/** Calls `act` for each manifest that is or comes open in a trusted workspace. */
export function onManifest(act: () => void): vscode.Disposable {
	const checkForManifest = (documents: readonly vscode.TextDocument[]) => {
		if (vscode.workspace.isTrusted && documents.some(isManifest)) {
			act();
		}
	};
	checkForManifest(vscode.workspace.textDocuments);
	return vscode.Disposable.from(
		vscode.workspace.onDidOpenTextDocument((document) => checkForManifest([document])),
		vscode.workspace.onDidGrantWorkspaceTrust(() => checkForManifest(vscode.workspace.textDocuments)),
	);
}

/** Asked for each document that is opened, so by its name alone. */
function isManifest({ uri }: vscode.TextDocument): boolean {
	return uri.scheme === 'file' && /\/(?:(?:capability|executor)\.ya?ml|SKILL\.md)$/.test(uri.path);
}

/** *Run* above the name in a capability.yaml. Knows nothing but the text: what runs is found when it is clicked. */
export const runLens: vscode.CodeLensProvider = {
	provideCodeLenses(document) {
		if (!vscode.workspace.isTrusted) {
			return [];
		}
		const line = document
			.getText()
			.split('\n', 50)
			.findIndex((text) => text.startsWith('name:'));
		const range = new vscode.Range(Math.max(0, line), 0, Math.max(0, line), 0);
		const folder = { kind: 'folder', path: vscode.Uri.joinPath(document.uri, '..').fsPath };
		return [
			new vscode.CodeLens(range, {
				command: 'prowess.runCapability',
				title: `$(play) ${vscode.l10n.t('Run')}`,
				arguments: [folder],
			}),
		];
	},
};
