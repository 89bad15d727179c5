/** References that go into a message: the user's selection, the text of the active terminal, a failure of a test. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import { type ContextRef, MAX_PASTED_CHARS } from '../../protocol/thread/context.ts';
import { extensionLimits } from '../editor/limits.ts';
import type { EditorProblemPlace } from '../editor/code-actions.ts';
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

const TEST_NAME_CHARS = 200;
const FRAMES = 20;

/** `given`: what the editor hands to a command of the menu of a failure. Undefined: it is none. */
export function testFailure(workspace: WorkspacePort, given: unknown): ContextRef | undefined {
	const { test, message } = (given ?? {}) as { readonly test?: vscode.TestItem; readonly message?: vscode.TestMessage };
	if (test === undefined || message === undefined) {
		return undefined;
	}
	const said = typeof message.message === 'string' ? message.message : message.message.value;
	const { location } = message;
	const place = location === undefined ? [] : [`at ${formatTestPlace(workspace, location.uri, location.range.start)}`];
	const text = [
		said,
		...(message.expectedOutput === undefined ? [] : [`expected: ${message.expectedOutput}`]),
		...(message.actualOutput === undefined ? [] : [`actual: ${message.actualOutput}`]),
		...place,
		...(message.stackTrace ?? [])
			.slice(0, FRAMES)
			.map(({ label, uri, position }) =>
				uri === undefined ? `at ${label}` : `at ${label} (${formatTestPlace(workspace, uri, position)})`,
			),
	].join('\n');
	return { kind: 'test', name: test.label.slice(0, TEST_NAME_CHARS), text: text.slice(0, MAX_PASTED_CHARS) };
}

function formatTestPlace(workspace: WorkspacePort, uri: vscode.Uri, position: vscode.Position | undefined): string {
	const path = toWorkspacePath(workspace.folders, uri.fsPath) ?? uri.fsPath;
	return position === undefined ? path : `${path}:${position.line + 1}`;
}

const TERMINAL = 'workbench.action.terminal';
const TERMINAL_LABEL_CHARS = 200;

/**
 * `part`: what is selected in it, or all of it; of much its end. The editor lends a terminal's text only by the clipboard,
 * which has its own text again afterwards. Undefined: there is no terminal, or nothing in it.
 */
export async function terminalOutput(part: 'selection' | 'all'): Promise<ContextRef | undefined> {
	const terminal = vscode.window.activeTerminal;
	if (terminal === undefined) {
		return undefined;
	}
	const text = (await copyTerminalText(part)).trim();
	return text === ''
		? undefined
		: { kind: 'terminal', name: terminal.name.slice(0, TERMINAL_LABEL_CHARS), text: text.slice(-MAX_PASTED_CHARS) };
}

async function copyTerminalText(part: 'selection' | 'all'): Promise<string> {
	const { clipboard } = vscode.env;
	const before = await clipboard.readText();
	try {
		// Clears the clipboard first, so that its old text is not taken for the terminal's when nothing can be copied.
		await clipboard.writeText('');
		if (part === 'all') {
			await vscode.commands.executeCommand(`${TERMINAL}.selectAll`);
		}
		await vscode.commands.executeCommand(`${TERMINAL}.copySelection`);
		if (part === 'all') {
			await vscode.commands.executeCommand(`${TERMINAL}.clearSelection`);
		}
		return await clipboard.readText();
	} finally {
		await clipboard.writeText(before);
	}
}
