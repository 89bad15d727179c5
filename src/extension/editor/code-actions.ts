/**
 * Entries of the light bulb in a file of a trusted workspace: for a selection, and for a problem, which the agent fixes or
 * explains, or which waits in the input of the chat. The problem's own words are not put into the user's message: an
 * extension or a file may have chosen them, so the agent reads them as data.
 */
import * as vscode from 'vscode';

/** Place of the problem that a quick fix is about, handed to its command. */
export interface EditorProblemPlace {
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
}

/**
 * True when the value has the shape of a place. A class would not do: provider and commands lie in two bundles, and
 * each would have its own copy of it.
 */
export function isProblemPlace(given: unknown): given is EditorProblemPlace {
	const { uri, range } = (given ?? {}) as Partial<EditorProblemPlace>;
	return uri instanceof vscode.Uri && range instanceof vscode.Range;
}

export const problemActions: vscode.CodeActionProvider = {
	provideCodeActions(document, _range, { diagnostics }) {
		const [first, ...others] = diagnostics;
		if (first === undefined || !vscode.workspace.isTrusted) {
			return [];
		}
		const range = others.reduce((all, each) => all.union(each.range), first.range);
		const place = { uri: document.uri, range };
		return [
			createProblemAction(vscode.l10n.t('Fix with Prowess'), 'prowess.fix', place, diagnostics),
			createProblemAction(vscode.l10n.t('Explain with Prowess'), 'prowess.explain', place, diagnostics),
			createProblemAction(vscode.l10n.t('Add to Prowess Chat'), 'prowess.addProblem', place, diagnostics),
		];
	},
};

export const problemActionKinds: vscode.CodeActionProviderMetadata = {
	providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
};

function createProblemAction(
	title: string,
	command: 'prowess.fix' | 'prowess.explain' | 'prowess.addProblem',
	place: EditorProblemPlace,
	diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
	const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	made.command = { title, command, arguments: [place] };
	made.diagnostics = [...diagnostics];
	return made;
}

/** Offers actions in the light bulb for a selection in a file of a trusted workspace. */
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
