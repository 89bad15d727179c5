import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Position, Range, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { waitFor } from '../../support/wait-for.ts';
import { documentPort } from '../../../src/extension/ports/document-port.ts';

const { signal } = new AbortController();

/** A file of the workspace with the given text on disk. */
async function makeFile(name: string, text: string): Promise<Uri> {
	const [folder] = workspace.workspaceFolders ?? [];
	assert.ok(folder);
	const uri = Uri.joinPath(folder.uri, name);
	await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
	return uri;
}

async function type(uri: Uri, at: Position, text: string): Promise<void> {
	const edit = new WorkspaceEdit();
	edit.insert(uri, at, text);
	assert.ok(await workspace.applyEdit(edit));
}

describe('Open documents', () => {
	it('are read with their unsaved changes, others are not open', async () => {
		const uri = await makeFile('unsaved.txt', 'on disk\n');
		assert.equal(documentPort.readOpen(uri.fsPath), undefined);
		await window.showTextDocument(uri);
		await type(uri, new Position(0, 0), 'typed, ');
		assert.deepEqual(documentPort.readOpen(uri.fsPath), { text: 'typed, on disk\n', unsaved: true });
	});

	it('are written through the editor and saved, with the rest of the text untouched', async () => {
		const uri = await makeFile('written.txt', 'one\ntwo\nthree\n');
		const editor = await window.showTextDocument(uri);
		editor.selection = new (await import('vscode')).Selection(2, 2, 2, 2);
		assert.equal(
			await documentPort.writeOpen(uri.fsPath, 'one\ntwo\nthree\n', 'one\n2\nthree\n', signal),
			'one\n2\nthree\n',
		);
		assert.equal(editor.document.getText(), 'one\n2\nthree\n');
		assert.equal(editor.document.isDirty, false);
		assert.equal(readFileSync(uri.fsPath, 'utf8'), 'one\n2\nthree\n');
		assert.ok(editor.selection.isEqual(new Range(2, 2, 2, 2)), 'the cursor stays where it was');
	});

	it('are saved after an earlier save of theirs that the editor still prepares', async () => {
		const uri = await makeFile('saved-late.txt', 'one\n');
		const { document } = await window.showTextDocument(uri);
		const prepared = Promise.withResolvers<void>();
		const begun = Promise.withResolvers<void>();
		const preparing = workspace.onWillSaveTextDocument((event) => {
			if (event.document !== document) return;
			event.waitUntil(prepared.promise);
			begun.resolve();
		});
		try {
			await type(uri, new Position(0, 0), 'typed, ');
			const earlier = document.save();
			await begun.promise;
			const writing = documentPort.writeOpen(uri.fsPath, 'typed, one\n', 'typed, two\n', signal);
			await waitFor('the edit', () => document.getText() === 'typed, two\n');
			// The editor refuses these, as it refuses any until the earlier one is over.
			for (let n = 0; n < 3; n += 1) assert.equal(await document.save(), false);
			prepared.resolve();
			assert.equal(await writing, 'typed, two\n');
			await earlier;
		} finally {
			prepared.resolve();
			preparing.dispose();
		}
		assert.equal(readFileSync(uri.fsPath, 'utf8'), 'typed, two\n');
	});

	it('are not written when they no longer hold what was read', async () => {
		const uri = await makeFile('moved-on.txt', 'first\n');
		await window.showTextDocument(uri);
		await type(uri, new Position(0, 0), 'x');
		await assert.rejects(documentPort.writeOpen(uri.fsPath, 'first\n', 'second\n', signal), { code: 'FILE_CHANGED' });
		assert.equal(readFileSync(uri.fsPath, 'utf8'), 'first\n');
	});

	it('leave a file that is not open to the disk', async () => {
		const uri = await makeFile('closed.txt', 'text\n');
		assert.equal(await documentPort.writeOpen(uri.fsPath, 'text\n', 'other\n', signal), undefined);
		assert.equal(readFileSync(uri.fsPath, 'utf8'), 'text\n');
	});
});
