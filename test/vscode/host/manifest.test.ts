import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeLens, commands, extensions, Uri, workspace } from 'vscode';
import { waitFor } from '../../support/wait-for.ts';
import * as table from '../../../src/extension/editor/command-table.ts';

const views = Object.entries(table).flatMap(([name, id]) => (name.endsWith('_VIEW') ? [`${String(id)}.`] : []));

describe('The commands in VS Code', () => {
	it('are those of the table, all of them and no other of ours, also once a capability is written', async function () {
		this.timeout(60_000);
		await extensions.getExtension('prowess.prowess')?.activate();
		const uri = await openCapability();
		// Lenses above its name come with the part for authors.
		await waitFor('what stands above its name', async () => {
			const lenses = await commands.executeCommand<readonly CodeLens[]>('vscode.executeCodeLensProvider', uri);
			return lenses.length > 0;
		});
		const ours = (await commands.getCommands(true)).filter(
			// VS Code itself makes commands for each view and container of ours.
			(id) => id.startsWith('prowess.') && !views.some((view) => id.startsWith(view)),
		);
		assert.deepEqual(ours.toSorted(), [...table.commandIds].toSorted());
	});
});

async function openCapability(): Promise<Uri> {
	const root = workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
	const folder = join(root, 'written/skill/listed');
	mkdirSync(folder, { recursive: true });
	const uri = Uri.file(join(folder, 'capability.yaml'));
	writeFileSync(uri.fsPath, 'name: listed\ntype: skill\nversion: 1.0.0\ndescription: Listed\n');
	await workspace.openTextDocument(uri);
	return uri;
}
