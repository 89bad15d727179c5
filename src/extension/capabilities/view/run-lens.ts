/** *Run* above the name in a capability.yaml. Knows nothing but the text: what runs is found when it is clicked. */
import * as vscode from 'vscode';

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
