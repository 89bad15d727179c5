/** Open documents: what the user sees is what is read, and what we write appears in the editor, undoable, then is saved. */
import * as vscode from 'vscode';
import { orAborted, raceTimeout } from '../../base/time/bounded-wait.ts';
import type { DocumentPort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { extensionLimits } from '../editor/limits.ts';
import { minimalEdit } from '../editor/minimal-edit.ts';

export const documentPort: DocumentPort = {
	readOpen(absolutePath) {
		const document = findOpen(absolutePath);
		return document === undefined ? undefined : { text: document.getText(), unsaved: document.isDirty };
	},

	isUnsaved: (absolutePath) => findOpen(absolutePath)?.isDirty === true,

	async writeOpen(absolutePath, expected, content, signal) {
		signal.throwIfAborted();
		const document = findOpen(absolutePath);
		if (document === undefined) {
			return undefined;
		}
		if (document.getText() !== expected) {
			throw documentChangedError(absolutePath);
		}
		const { start, end, insert } = minimalEdit(expected, content);
		if (start !== end || insert !== '') {
			const edit = new vscode.WorkspaceEdit();
			edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), insert);
			// `applyEdit` is refused when the document has moved on since; from here on there is no way back, so no signal.
			if (!(await vscode.workspace.applyEdit(edit))) {
				throw documentChangedError(absolutePath);
			}
		}
		// A formatter on save may change the text further: that is the user's wish, so what was saved is the result.
		if (!(await isSaved(document, signal))) {
			throw new ProwessError('IO_ERROR', `${absolutePath}: the editor did not save the document`, {
				path: absolutePath,
				said: text('The editor did not save "{path}".', { path: absolutePath }),
			});
		}
		return document.getText();
	},
};

/**
 * True once it is. While the editor prepares an earlier save of the document, such as that of auto-save, it says no to
 * another one at once: the end of that one is waited for, and what it has not saved is asked for again.
 */
async function isSaved(document: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
	const saved = Promise.withResolvers<void>();
	const listening = vscode.workspace.onDidSaveTextDocument((each) => each === document && saved.resolve());
	try {
		if (!document.isDirty || (await orAborted(document.save(), signal))) return true;
		await orAborted(raceTimeout(saved.promise, extensionLimits.earlierSaveMs), signal);
		return !document.isDirty || (await orAborted(document.save(), signal)) || !document.isDirty;
	} finally {
		listening.dispose();
	}
}

/** The path is verified and real; a document may have been opened through another spelling on a case-insensitive disk. */
function findOpen(absolutePath: string): vscode.TextDocument | undefined {
	const isCaseSensitive = process.platform === 'linux';
	const wanted = isCaseSensitive ? absolutePath : absolutePath.toLowerCase();
	return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
		const path = isCaseSensitive ? uri.fsPath : uri.fsPath.toLowerCase();
		return uri.scheme === 'file' && !isClosed && path === wanted;
	});
}

function documentChangedError(absolutePath: string): ProwessError {
	return new ProwessError('FILE_CHANGED', `${absolutePath}: the open document has changed meanwhile`, {
		path: absolutePath,
	});
}
