import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, languages, Position, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { waitFor } from '../../support/wait-for.ts';

describe('The program of a capability that is written in the editor', function () {
	this.timeout(60_000);

	it('shows its problems at their lines as one types, and no longer when they are mended', async () => {
		const root = workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
		const folder = join(root, '.prowess/capabilities/skill/typed');
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'capability.yaml'),
			'name: typed\ntype: skill\nversion: 1.0.0\ndescription: t\nruntime: node-worker\n',
		);
		const uri = Uri.file(join(folder, 'index.js'));
		writeFileSync(uri.fsPath, 'export async function good() {}\n');
		const document = await workspace.openTextDocument(uri);
		await window.showTextDocument(document);
		const shows = (what: string, isSo: (problems: readonly Diagnostic[]) => boolean) =>
			waitFor(what, () => isSo(languages.getDiagnostics(uri).filter(({ source }) => source === 'prowess')), 30_000);
		const types = async (text: string) => {
			const edit = new WorkspaceEdit();
			edit.insert(uri, new Position(1, 0), text);
			assert.ok(await workspace.applyEdit(edit));
		};
		await types("import 'node:net';\nexport function sync() {}\n");
		await shows('what a worker refuses', (problems) => problems.map(({ range }) => range.start.line).join() === '1,2');
		await types('const = 1;\n');
		await shows('what does not parse', (problems) =>
			problems.some(({ message, range }) => range.start.line === 1 && /does not parse/.test(message)),
		);
		await document.save();
		const mended = new WorkspaceEdit();
		mended.delete(uri, document.validateRange(new (await import('vscode')).Range(1, 0, 100, 0)));
		assert.ok(await workspace.applyEdit(mended));
		await shows('that it is mended', (problems) => problems.length === 0);
		await document.save();
	});
});
