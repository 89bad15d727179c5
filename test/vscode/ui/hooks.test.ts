import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../support/shuffled-specs.ts';
import type { Locator } from 'playwright-core';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';

const guard = {
	hooks: {
		UserPromptSubmit: [{ type: 'command', command: 'echo The build is frozen until Monday.' }],
		PreToolUse: [{ type: 'command', command: 'echo frozen >&2; exit 2' }],
	},
};

describe('Hooks of the project in the editor', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	before(async () => {
		scripted = await openScriptedChat({ workspace: { '.github/hooks/guard.json': JSON.stringify(guard) } });
		await scripted.workbench.runCommand('Prowess: Focus Chat');
	});
	after(() => scripted?.close());

	const toast = (text: string): Locator =>
		scripted.workbench.page.locator('.notification-toast', { hasText: text }).first();

	it('do not run, which is said once, with the way to look at them', async () => {
		await scripted.begin('Tell me what is frozen', [{ text: 'Nothing is frozen.' }]);
		await toast('This project has hooks that do not run').getByRole('button', { name: 'Review Hooks' }).waitFor();
		await scripted.chat.answers.filter({ hasText: 'Nothing is frozen.' }).waitFor();
		await scripted.chat.rested();
		assert.doesNotMatch(JSON.stringify(scripted.requests()[0]?.body), /until Monday/);
	});

	it('run once they are allowed, tell the model something and refuse its tools', async () => {
		const { page } = scripted.workbench;
		await scripted.chat.input.fill('/hooks');
		await scripted.chat.input.press('Enter');
		await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'guard.json' }).waitFor();
		await scripted.workbench.screenshot('hooks-1-list');
		await page.keyboard.press('Enter');
		const dialog = page.locator('.monaco-dialog-box', { hasText: 'guard.json' });
		await dialog.getByText('PreToolUse: echo frozen >&2; exit 2').waitFor();
		await scripted.workbench.screenshot('hooks-2-consent');
		await dialog.getByRole('button', { name: 'Allow' }).click();
		await toast('run from now on, until they change').waitFor();
		const write = { name: 'fs_write', input: { path: 'made.txt', content: 'x' } };
		await scripted.begin('Make it', [{ toolCalls: [write] }, { text: 'It is frozen.' }]);
		await scripted.chat.answers.filter({ hasText: 'It is frozen.' }).waitFor();
		await scripted.chat.rested();
		const said = scripted.requests().map(({ body }) => JSON.stringify(body));
		assert.match(said.at(-2) ?? '', /until Monday/);
		assert.match(said.at(-1) ?? '', /a hook refuses fs\.write: frozen/);
		assert.ok(!existsSync(join(scripted.workbench.workspace, 'made.txt')));
		await scripted.workbench.screenshot('hooks-3-refused');
	});
});
