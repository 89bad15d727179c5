/** Saves in an editor of this window, as those hear of them who must not take them for the work of a command. */
import assert from 'node:assert/strict';
import { Position, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { ChangedFiles } from '../../../src/extension/ports/changed-files.ts';
import { documentPort } from '../../../src/extension/ports/document-port.ts';

describe('A save in an editor', () => {
	it('is told before the editor says that it is done, as one of the user, also of what was typed long ago', async () => {
		const [folder] = workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const uri = Uri.joinPath(folder.uri, 'saved.txt');
		await workspace.fs.writeFile(uri, new TextEncoder().encode('one\n'));
		const { document } = await window.showTextDocument(uri);
		const files = new ChangedFiles();
		try {
			const edit = new WorkspaceEdit();
			edit.insert(uri, new Position(0, 0), 'typed, ');
			assert.ok(await workspace.applyEdit(edit));
			assert.equal(documentPort.isUnsaved?.(uri.fsPath), true);
			// Listeners from now on have not heard of the typing.
			const told: string[] = [];
			const look = (paths: readonly string[]) =>
				void told.push(...paths.map((path) => `${path} ${files.isEdited(path)}`));
			const ofNoUse = { noteChanges: () => undefined };
			const following = files.follow({ changes: { look }, schedules: ofNoUse } as unknown as Parameters<
				ChangedFiles['follow']
			>[0]);
			assert.equal(await document.save(), true);
			following.dispose();
			assert.ok(told.includes(`${uri.fsPath} true`), told.join());
			assert.equal(documentPort.isUnsaved?.(uri.fsPath), false);
		} finally {
			files.dispose();
		}
	});
});
