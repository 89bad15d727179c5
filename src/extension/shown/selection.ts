/** Makes the user's selection a reference that goes into a message. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { extensionLimits } from '../editor/limits.ts';
import type { EditorProblemPlace } from '../editor/problem-actions.ts';
import { toWorkspacePath } from '../editor/workspace-paths.ts';

/** The selected lines of the active editor; undefined without an editor of the workspace or without a selection. */
export function selectionRef(workspace: WorkspacePort): ContextRef | undefined {
	const editor = vscode.window.activeTextEditor;
	const path = toDocumentPath(workspace, editor?.document);
	const lines = editor === undefined ? undefined : selectedLines(editor);
	if (editor === undefined || path === undefined || lines === undefined) {
		return undefined;
	}
	return linesRef(path, editor.document, lines);
}

/** The lines of a problem and the problems of its file; none when the file is not open, or not of the workspace. */
export function problemRefs(workspace: WorkspacePort, { uri, range }: EditorProblemPlace): ContextRef[] {
	const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
	const path = toDocumentPath(workspace, document);
	if (document === undefined || path === undefined) {
		return [];
	}
	const { start, end } = document.validateRange(range);
	const lines = new vscode.Range(start.line, 0, end.line, document.lineAt(end.line).text.length);
	return [linesRef(path, document, lines), { kind: 'problems', path }];
}

function linesRef(path: string, document: vscode.TextDocument, lines: vscode.Range): ContextRef {
	return {
		kind: 'selection',
		path,
		startLine: lines.start.line + 1,
		endLine: lines.end.line + 1,
		text: document.getText(lines).slice(0, extensionLimits.selectionCharacters),
	};
}

/** Whole lines; undefined when nothing is selected. */
export function selectedLines({ selection, document }: vscode.TextEditor): vscode.Range | undefined {
	if (selection.isEmpty) {
		return undefined;
	}
	const { start, end } = selection;
	// A selection that ends before the first letter of a line does not mean that line.
	const lastLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
	return new vscode.Range(start.line, 0, lastLine, document.lineAt(lastLine).text.length);
}

/** The selection, else the whole file. */
export function selectionOrFileRef(workspace: WorkspacePort): ContextRef | undefined {
	const path = toDocumentPath(workspace, vscode.window.activeTextEditor?.document);
	return selectionRef(workspace) ?? (path === undefined ? undefined : { kind: 'file', path });
}

/** Undefined: it is no file of the workspace. */
export function toDocumentPath(
	workspace: WorkspacePort,
	document: vscode.TextDocument | undefined,
): string | undefined {
	return document?.uri.scheme === 'file' ? toWorkspacePath(workspace.folders, document.uri.fsPath) : undefined;
}
