import assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';

describe('The extension in its host', () => {
	it('activates', async () => {
		const extension = extensions.getExtension('prowess.prowess');
		assert.ok(extension, 'prowess.prowess is not among the extensions');
		await extension.activate();
		assert.equal(extension.isActive, true);
	});

	it('registers its commands', async () => {
		const registered = await commands.getCommands(true);
		assert.deepEqual(
			['prowess.newThread', 'prowess.focusChat'].filter((command) => !registered.includes(command)),
			[],
		);
	});
});
