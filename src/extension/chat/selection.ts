/** What the user has selected, as a reference that goes into a message. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../capability-host/contract/ports.ts';
import type { ContextRef } from '../../protocol/context.ts';
import { limits } from '../limits.ts';
import { toWorkspacePath } from '../workspace-paths.ts';

/** The selected lines of the active editor; undefined without an editor of the workspace or without a selection. */
export function selectionRef(workspace: WorkspacePort): ContextRef | undefined {
	const editor = vscode.window.activeTextEditor;
	const path = pathOf(workspace, editor?.document);
	if (editor === undefined || path === undefined || editor.selection.isEmpty) {
		return undefined;
	}
	const { start, end } = editor.selection;
	// A selection that ends before the first letter of a line does not mean that line.
	const lastLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
	const lines = new vscode.Range(start.line, 0, lastLine, editor.document.lineAt(lastLine).text.length);
	return {
		kind: 'selection',
		path,
		startLine: start.line + 1,
		endLine: lastLine + 1,
		text: editor.document.getText(lines).slice(0, limits.selectionCharacters),
	};
}

/** The selection, else the whole file. */
export function selectionOrFileRef(workspace: WorkspacePort): ContextRef | undefined {
	const path = pathOf(workspace, vscode.window.activeTextEditor?.document);
	return selectionRef(workspace) ?? (path === undefined ? undefined : { kind: 'file', path });
}

function pathOf(workspace: WorkspacePort, document: vscode.TextDocument | undefined): string | undefined {
	return document?.uri.scheme === 'file' ? toWorkspacePath(workspace.folders, document.uri.fsPath) : undefined;
}
