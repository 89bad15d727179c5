import assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';
import { commandIds } from '../../../src/extension/command-table.ts';

describe('The commands in VS Code', () => {
	it('are those of the table, all of them and no other of ours', async () => {
		await extensions.getExtension('prowess.prowess')?.activate();
		const ours = (await commands.getCommands(true)).filter(
			// VS Code itself makes commands for each view and container of ours.
			(id) => id.startsWith('prowess.') && !/^prowess\.(chat|overview)\./.test(id),
		);
		assert.deepEqual(ours.toSorted(), [...commandIds].toSorted());
	});
});
