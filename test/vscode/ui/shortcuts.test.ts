/** Keys of ours while the chat has the keyboard: VS Code itself does not know that, so the page tells. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { pressShortcut } from '../harness/press-on.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

describe('A shortcut of the chat', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	let levels: Locator;
	before(async () => {
		scripted = await openScriptedChat({ settings: { 'prowess.approvals.level': 'ask' } });
		({ workbench, chat } = scripted);
		levels = workbench.page.locator('.quick-input-widget', { hasText: 'Permission Level' });
		await chat.focus();
	});
	after(() => scripted?.close());

	/** Waits until the keyboard is back in the chat with its text, so that a person who types there can go on. */
	const keyboardIsBack = (text: string) =>
		waitFor(
			'the keyboard in the chat, with what was typed',
			async () =>
				(await chat.input.and(chat.view.locator(':focus')).count()) > 0 && (await chat.input.inputValue()) === text,
			20_000,
		);

	async function chord(...keys: readonly string[]): Promise<void> {
		for (const key of keys) await workbench.page.keyboard.press(key);
	}

	async function openLevels(): Promise<void> {
		await pressShortcut(workbench.page, ['Control+.'], levels.locator('.monaco-list-row', { hasText: 'Edit freely' }));
	}

	it('does nothing in a file', async () => {
		await workbench.page.getByRole('treeitem', { name: 'src' }).click();
		await workbench.page.getByRole('treeitem', { name: 'money.ts' }).dblclick();
		await workbench.page.locator('.editor-instance .view-line', { hasText: 'Cents = number' }).click();
		await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
		await chord('Control+K', 'Control+N');
		await workbench.page.getByText('is not a command').first().waitFor();
	});

	it('changes the permission level, and leaves the message as it was', async () => {
		await chat.focus();
		await workbench.page.keyboard.type('half a sentence');
		await openLevels();
		await workbench.screenshot('shortcuts-1-level');
		await chord('Escape');
		await keyboardIsBack('half a sentence');
		await chat.view.getByRole('button', { name: 'Permission level: Ask first' }).waitFor();
		await openLevels();
		await workbench.page.keyboard.type('Edit freely');
		await levels.locator('.monaco-list-row.focused', { hasText: 'Edit freely' }).waitFor();
		await chord('Enter');
		await chat.view.getByRole('button', { name: 'Permission level: Edit freely' }).waitFor();
		await keyboardIsBack('half a sentence');
	});

	it('stops the turn', async () => {
		await scripted.begin('Wait', [{ chunks: ['Waiting'], then: 'stall' }]);
		await chat.answers.filter({ hasText: 'Waiting' }).waitFor();
		await pressShortcut(
			workbench.page,
			['Control+K', 'Control+.'],
			chat.view.getByRole('button', { name: 'Send', exact: true }),
		);
		await chat.rested();
		await scripted.model.closed(scripted.model.requests.length);
	});

	it('takes back all changes of the thread, after a question', async () => {
		await scripted.begin('Write it', [
			{ toolCalls: [{ name: 'fs_write', input: { path: 'made.txt', content: 'by the agent\n' } }] },
			{ text: 'It is written.' },
		]);
		await chat.press('Write made.txt', '1');
		await chat.answers.filter({ hasText: 'It is written.' }).waitFor();
		await chat.rested();
		await chat.focus();
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await pressShortcut(workbench.page, ['Control+K', 'Control+Z'], dialog);
		await workbench.screenshot('shortcuts-2-undo');
		await dialog.getByRole('button', { name: 'Undo All' }).click();
		const made = join(workbench.workspace, 'made.txt');
		await waitFor('the new file to go', () => Promise.resolve(!existsSync(made)));
	});

	it('begins a new thread', async () => {
		await chat.focus();
		await pressShortcut(workbench.page, ['Control+K', 'Control+N'], chat.view.locator('.empty-state'));
		await keyboardIsBack('');
	});

	it('is listed among the keyboard shortcuts of the editor, where another key can be chosen', async () => {
		await chord('Control+K', 'Control+S');
		const search = workbench.page.locator('.keybindings-header input, .keybindings-header textarea').first();
		await search.fill('Prowess: Change Permission Level');
		const row = workbench.page.locator(
			'.keybindings-table-container .monaco-list-row, .keybindings-editor .monaco-table-tr',
		);
		await row.filter({ hasText: 'prowess.chatFocused' }).first().waitFor();
		await workbench.screenshot('shortcuts-3-listed');
		assert.match(await row.filter({ hasText: 'prowess.chatFocused' }).first().innerText(), /Change Permission Level/);
	});
});
