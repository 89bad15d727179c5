/**
 * Changes that language servers work out: renames, fixes, formatting. This file changes nothing: the texts go to the op, which
 * the user is asked about. Other extensions answer, so nothing of an answer is believed: it is bounded, lies in the
 * workspace, and is made of texts alone.
 */
import * as vscode from 'vscode';
import { cutText } from '../../base/text/one-line.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { orAborted } from '../../base/time/bounded-wait.ts';
import type { EditorPort, WorkedOutChange, WorkspacePort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import { extensionLimits } from '../editor/limits.ts';
import { toWorkspacePath } from '../editor/workspace-paths.ts';
import { findSymbolPosition } from './symbol-position.ts';

type Wanted = Parameters<EditorPort['refactor']>[0];

/** Edits of one file, as a language server gave them. */
type FileEdits = readonly [uri: vscode.Uri, edits: readonly vscode.TextEdit[]];

interface Offered {
	readonly files: readonly FileEdits[];
	readonly notRun?: string | undefined;
}

export async function workOutChange(
	workspace: Pick<WorkspacePort, 'folders'>,
	wanted: Wanted,
	signal: AbortSignal,
): Promise<WorkedOutChange> {
	const document = await orAborted(vscode.workspace.openTextDocument(vscode.Uri.file(wanted.absolutePath)), signal);
	const versions = new Map(vscode.workspace.textDocuments.map((each) => [each, each.version]));
	const { files, notRun } = await offeredChange(document, wanted, signal);
	const count = files.reduce((sum, [, edits]) => sum + edits.length, 0);
	if (files.length > extensionLimits.refactoredFiles || count > extensionLimits.refactoringEdits) {
		throw notOffered(
			`it would change ${count} places in ${files.length} files; at most ${extensionLimits.refactoringEdits} in ${extensionLimits.refactoredFiles} are changed at once`,
			text('This would change {count} places in {files} files, which is more than is done at once.', {
				count,
				files: files.length,
			}),
		);
	}
	for (const [uri] of files) {
		requireInside(workspace, uri);
	}
	const changed: WorkedOutChange['files'][number][] = [];
	for (const [uri, edits] of files) {
		const open = await orAborted(vscode.workspace.openTextDocument(uri), signal);
		const version = versions.get(open);
		if (version !== undefined && version !== open.version) {
			throw new ProwessError('FILE_CHANGED', `${uri.fsPath} has changed while the language server worked: ask again`, {
				path: uri.fsPath,
			});
		}
		const before = open.getText();
		const after = withTextEdits(open, before, edits);
		if (before !== after) {
			changed.push({
				absolutePath: uri.fsPath,
				before: before.replaceAll('\r\n', '\n'),
				after: after.replaceAll('\r\n', '\n'),
			});
		}
	}
	return { files: changed, ...(notRun === undefined ? {} : { notRun }) };
}

async function offeredChange(document: vscode.TextDocument, wanted: Wanted, signal: AbortSignal): Promise<Offered> {
	switch (wanted.what) {
		case 'rename':
			return { files: listFileEdits(await askRename(document, wanted, signal)) };
		case 'fix':
			return await askFix(document, wanted, signal);
		case 'format':
			return { files: [[document.uri, await askFormat(document, signal)]] };
	}
}

async function askRename(
	document: vscode.TextDocument,
	{ line = 0, symbol = '', to = '' }: Wanted,
	signal: AbortSignal,
): Promise<vscode.WorkspaceEdit> {
	const position = findSymbolPosition('editor.refactor', document, line, symbol);
	const command = 'vscode.executeDocumentRenameProvider';
	const edit = await askProvider<vscode.WorkspaceEdit>(command, [document.uri, position, to], signal);
	return edit ?? new vscode.WorkspaceEdit();
}

async function askFormat(document: vscode.TextDocument, signal: AbortSignal): Promise<readonly vscode.TextEdit[]> {
	const style = vscode.workspace.getConfiguration('editor', document);
	const options = { tabSize: style.get('tabSize', 4), insertSpaces: style.get('insertSpaces', true) };
	const command = 'vscode.executeFormatDocumentProvider';
	const edits = await askProvider<vscode.TextEdit[]>(command, [document.uri, options], signal);
	if (edits === undefined) {
		throw notOffered(
			`no formatter of the editor is for ${document.languageId}`,
			text('The editor has no formatter for {language}.', { language: document.languageId }),
		);
	}
	return edits;
}

async function askFix(
	document: vscode.TextDocument,
	{ line = 1, symbol, title }: Wanted,
	signal: AbortSignal,
): Promise<Offered> {
	if (line > document.lineCount) {
		throw new ProwessError(
			'INVALID_PARAMS',
			`editor.refactor: line ${line}: the file has ${document.lineCount} lines`,
			{
				said: text('There is no line {line}: the file has {count}.', { line, count: document.lineCount }),
			},
		);
	}
	const start = symbol === undefined ? undefined : findSymbolPosition('editor.refactor', document, line, symbol);
	const range =
		start === undefined
			? document.lineAt(line - 1).range
			: new vscode.Range(start, start.translate(0, symbol?.length ?? 0));
	const askActions = async (resolved: number) =>
		(
			(await askProvider<(vscode.CodeAction | vscode.Command)[]>(
				'vscode.executeCodeActionProvider',
				[document.uri, range, undefined, resolved],
				signal,
			)) ?? []
		).filter((each): each is vscode.CodeAction => !isCommand(each) && each.disabled === undefined);
	const named = await askActions(0);
	const at = named.findIndex((each) => each.title === title);
	if (at === -1) {
		const titles = named.slice(0, extensionLimits.namedFixes).map((each) => JSON.stringify(cutText(each.title, 200)));
		const there = titles.length === 0 ? 'there is none' : `there are: ${titles.join(', ')}`;
		throw new ProwessError(
			'INVALID_PARAMS',
			title === undefined
				? `give the title of a fix at line ${line}; ${there}`
				: `no fix at line ${line} is called ${JSON.stringify(title)}; ${there}`,
			{ said: text('There is no fix of that name at line {line}.', { line }) },
		);
	}
	const action = (await askActions(named.length)).find((each) => each.title === title);
	if (action?.edit === undefined) {
		throw notOffered(
			`"${String(title)}" runs a command of an extension, which could do anything, so it is not applied`,
			text('"{title}" runs a command of an extension, so it is not applied.', { title: String(title) }),
		);
	}
	return { files: listFileEdits(action.edit), notRun: action.command?.command.slice(0, 200) };
}

function isCommand(action: vscode.CodeAction | vscode.Command): action is vscode.Command {
	return 'command' in action && typeof action.command === 'string';
}

async function askProvider<T>(command: string, args: readonly unknown[], signal: AbortSignal): Promise<T | undefined> {
	try {
		return await orAborted(vscode.commands.executeCommand<T | undefined>(command, ...args), signal);
	} catch (error) {
		signal.throwIfAborted();
		const why = cutText(toErrorMessage(error), 300);
		throw notOffered(`the language server refuses it: ${why}`, text('The language server refuses it: {why}', { why }));
	}
}

/** Kind of an entry of the editor's own that changes the text of a file. */
const TEXT_ENTRY = 2;

/** Rejects a change that creates, moves or deletes files, or changes cells: `entries` leaves these out without a word. */
function listFileEdits(edit: vscode.WorkspaceEdit): readonly FileEdits[] {
	const { _allEntries: all } = edit as { readonly _allEntries?: () => readonly { readonly _type: number }[] };
	if (all?.call(edit).some(({ _type }) => _type !== TEXT_ENTRY) === true) {
		throw notOffered(
			'the change of the language server is more than texts: it creates, moves or deletes files, or changes a notebook',
			text('The language server would create, move or delete files, so this is not applied.'),
		);
	}
	return edit.entries();
}

function requireInside({ folders }: Pick<WorkspacePort, 'folders'>, uri: vscode.Uri): void {
	if (uri.scheme !== 'file' || toWorkspacePath(folders, uri.fsPath) === undefined) {
		const path = uri.scheme === 'file' ? uri.fsPath : cutText(uri.toString(), 300);
		throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `the change reaches beyond the workspace: ${path}`, { path });
	}
}

/** Places beyond the text are taken as its end, as the editor does. */
function withTextEdits(document: vscode.TextDocument, before: string, edits: readonly vscode.TextEdit[]): string {
	const placed = edits
		.map(({ range, newText }, order) => ({
			start: document.offsetAt(range.start),
			end: document.offsetAt(range.end),
			newText,
			order,
		}))
		.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
	const parts: string[] = [];
	let from = 0;
	for (const { start, end, newText } of placed) {
		if (start < from) {
			throw notOffered(
				`two edits of ${document.uri.fsPath} overlap`,
				text('Two edits of the language server overlap, so nothing is applied.'),
			);
		}
		parts.push(before.slice(from, start), newText);
		from = end;
	}
	return parts.join('') + before.slice(from);
}

function notOffered(message: string, said: Text): ProwessError {
	return new ProwessError('INVALID_STATE', message, { said });
}
