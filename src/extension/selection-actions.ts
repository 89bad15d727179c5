/** Offers actions in the light bulb for a selection in a file of a trusted workspace. */
import * as vscode from 'vscode';

export const selectionActions: vscode.CodeActionProvider = {
	provideCodeActions(_document, range) {
		if (range.isEmpty || !vscode.workspace.isTrusted) {
			return [];
		}
		const title = vscode.l10n.t('Edit with Prowess');
		const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
		action.command = { title, command: 'prowess.editSelection' };
		return [action];
	},
};

export const selectionActionKinds: vscode.CodeActionProviderMetadata = {
	providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite],
};
