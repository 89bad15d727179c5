/** Checks that stories which take turns in one window do not notice each other. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedChat } from '../harness/scripted-chat.ts';
import { shareWindow } from '../harness/one-window.ts';

describe('A window that stories share', () => {
	const window = shareWindow({ 'files.autoSave': 'off' });
	afterEach(() => window.close());
	const tabs = ({ workbench }: ScriptedChat) => workbench.page.locator('.tabs-container .tab');
	const level = ({ chat }: ScriptedChat, name: string) =>
		chat.view.getByRole('button', { name: `Permission level: ${name}` });

	it('is handed on as it was: with the files of the next story, no editor, and the size of before', async () => {
		const first = await window.take({ 'a.txt': 'one', 'b.txt': 'one' });
		const { page } = first.workbench;
		await page.getByRole('treeitem', { name: 'b.txt' }).dblclick();
		await tabs(first).filter({ hasText: 'b.txt' }).waitFor();
		await page.setViewportSize({ width: 900, height: 700 });
		await first.close();

		const second = await window.take({ 'a.txt': 'two' });
		assert.equal(second.workbench.page, page);
		assert.deepEqual(readdirSync(second.workbench.workspace), ['a.txt']);
		assert.equal(readFileSync(join(second.workbench.workspace, 'a.txt'), 'utf8'), 'two');
		assert.equal(await tabs(second).count(), 0);
		assert.deepEqual(page.viewportSize(), { width: 1280, height: 800 });
		await second.close();
	});

	it('is closed after a story that leaves what cannot be set back, which fails by name; the next one has another', async () => {
		const first = await window.take({ 'a.txt': 'one' });
		const { page, home, runCommand } = first.workbench;
		await level(first, 'Ask first').click();
		await first.chat.view.getByRole('menuitemradio', { name: /^Edit freely/ }).click();
		await level(first, 'Edit freely').waitFor();
		await runCommand('View: Toggle Minimap');
		await page.getByRole('treeitem', { name: 'a.txt' }).dblclick();
		await page.locator('.editor-instance .view-line', { hasText: 'one' }).click();
		await page.keyboard.type('not saved');
		await page.locator('.tabs-container .tab.dirty').waitFor();
		writeFileSync(join(home, 'left.txt'), '');
		await assert.rejects(first.close(), ({ message }: Error) => {
			assert.match(message, /^left behind in the window:\n/);
			assert.match(message, /^another level: Permission level: Edit freely$/m);
			assert.match(message, /^the unsaved text a\.txt$/m);
			assert.match(message, /^the file ~\/left\.txt$/m);
			assert.match(message, /^changed user settings$/m);
			assert.equal(message.split('\n').length, 5, message);
			return true;
		});

		const second = await window.take({ 'a.txt': 'two' });
		assert.notEqual(second.workbench.page, page);
		assert.equal(page.isClosed(), true);
		await level(second, 'Ask first').waitFor();
		assert.equal(await tabs(second).count(), 0);
		assert.equal(readdirSync(second.workbench.home).includes('left.txt'), false);
		await second.close();
	});
});
