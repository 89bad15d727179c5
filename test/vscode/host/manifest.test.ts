import assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';
import * as table from '../../../src/extension/editor/command-table.ts';

const views = Object.entries(table).flatMap(([name, id]) => (name.endsWith('_VIEW') ? [`${String(id)}.`] : []));

describe('The commands in VS Code', () => {
	it('are those of the table, all of them and no other of ours', async () => {
		await extensions.getExtension('prowess.prowess')?.activate();
		const ours = (await commands.getCommands(true)).filter(
			// VS Code itself makes commands for each view and container of ours.
			(id) => id.startsWith('prowess.') && !views.some((view) => id.startsWith(view)),
		);
		assert.deepEqual(ours.toSorted(), [...table.commandIds].toSorted());
	});
});
