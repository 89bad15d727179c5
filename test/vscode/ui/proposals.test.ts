import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const notes = `${lines.join('\n')}\n`;
const title = 'Edit notes.txt (2 edits)';
const edit = {
	name: 'fs_edit',
	input: {
		path: 'notes.txt',
		edits: [
			{ find: 'line 3\n', replace: 'LINE 3\n' },
			{ find: 'line 27\n', replace: 'LINE 27\n' },
		],
	},
};

describe('The diff of a proposed change', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	let diff: Locator;
	let tab: Locator;
	before(async () => {
		scripted = await openScriptedChat({ workspace: { 'notes.txt': notes } });
		({ workbench, chat } = scripted);
		diff = workbench.page.locator('.monaco-diff-editor');
		tab = workbench.page.locator('.tab', { hasText: 'notes.txt (proposed)' });
		// Wide enough for two sides.
		await workbench.page.setViewportSize({ width: 1800, height: 800 });
		await chat.focus();
	});
	after(() => scripted?.close());

	const text = () => readFileSync(join(workbench.workspace, 'notes.txt'), 'utf8');
	const proposed = (line: RegExp) => diff.locator('.editor.modified .view-line', { hasText: line });
	const titleAction = (name: string) =>
		workbench.page.locator('.editor-actions').getByRole('button', { name, exact: true });
	const propose = async () => {
		await scripted.begin('Shout', [{ toolCalls: [edit] }, { text: 'So be it.' }]);
		await chat.asked(title);
		await proposed(/LINE.3$/).waitFor();
	};

	it('opens by itself, leaves the keyboard in the chat, and is closed when the question is answered there', async () => {
		await propose();
		await diff.locator('.editor.original .view-line', { hasText: /^line.3$/ }).waitFor();
		assert.equal(await chat.input.evaluate((field) => field.matches(':focus') && document.hasFocus()), true);
		await workbench.screenshot('proposal-1-open');
		await chat.press(title, '4');
		await tab.waitFor({ state: 'detached' });
		await chat.rested();
		assert.equal(text(), notes);
	});

	it('that was closed opens again from the question, and is denied from its title', async () => {
		await propose();
		await tab.getByRole('button', { name: /Close/ }).click();
		await tab.waitFor({ state: 'detached' });
		await chat.dock.getByRole('button', { name: 'Open diff' }).click();
		await tab.waitFor();
		await titleAction('Deny Proposed Change').click();
		await tab.waitFor({ state: 'detached' });
		await chat.rested();
		assert.deepEqual((await chat.transcript()).slice(1, 2), [`tool denied: ${title}`]);
		assert.equal(text(), notes);
	});

	it('writes what the person made of it: a hunk left out by the arrow of the editor, a line edited', async () => {
		await propose();
		// Between the sides stands the editor's own button that takes a hunk back.
		await diff.locator('.gutter').getByRole('button', { name: 'Revert Block' }).first().click();
		await proposed(/LINE.3$/).waitFor({ state: 'detached' });
		await proposed(/LINE.27$/).click();
		await workbench.page.keyboard.press('End');
		await workbench.page.keyboard.type(' by me');
		await proposed(/LINE.27.by.me$/).waitFor();
		await workbench.screenshot('proposal-2-edited');
		await titleAction('Allow Proposed Change').click();
		await tab.waitFor({ state: 'detached' });
		await chat.rested();
		assert.equal(text(), notes.replace('line 27', 'LINE 27 by me'));
		const told = toldIn(scripted.requests()[1]);
		assert.match(told, /The user edited your text before allowing it \(\+2 -2 lines\)/);
		assert.match(told, /\+LINE 27 by me/);
		await workbench.screenshot('proposal-3-written');
	});

	it('is written as it was edited when the yes comes from the chat', async () => {
		writeFileSync(join(workbench.workspace, 'notes.txt'), notes);
		await propose();
		await proposed(/LINE.3$/).click();
		await workbench.page.keyboard.press('End');
		await workbench.page.keyboard.type(' too');
		await proposed(/LINE.3.too$/).waitFor();
		await chat.press(title, '1');
		await tab.waitFor({ state: 'detached' });
		await chat.rested();
		assert.equal(text(), notes.replace('line 3\n', 'LINE 3 too\n').replace('line 27', 'LINE 27'));
	});

	it('of a file that has changed meanwhile is not written, and says what to do', async () => {
		writeFileSync(join(workbench.workspace, 'notes.txt'), notes);
		await propose();
		writeFileSync(join(workbench.workspace, 'notes.txt'), 'mine\n');
		await titleAction('Allow Proposed Change').click();
		await workbench.page
			.locator('.notification-list-item', { hasText: '"notes.txt" has changed since this was proposed' })
			.waitFor();
		await workbench.screenshot('proposal-4-stale');
		await titleAction('Deny Proposed Change').click();
		await tab.waitFor({ state: 'detached' });
		await chat.rested();
		assert.equal(text(), 'mine\n');
	});

	it('has its hunks taken back afterwards, by the arrow of the editor and from the title; Redo brings them back', async () => {
		writeFileSync(join(workbench.workspace, 'notes.txt'), notes);
		await propose();
		await chat.press(title, '1');
		await chat.rested();
		const strip = chat.view.getByRole('region', { name: 'Changed files' });
		await chat.unfold(strip);
		await strip.getByRole('button', { name: /modified notes\.txt.*\+2.*−2/s }).click();
		await proposed(/LINE.27$/).waitFor();
		await diff.locator('.gutter').getByRole('button', { name: 'Revert Block' }).first().click();
		await strip.getByRole('button', { name: /modified notes\.txt.*\+1.*−1/s }).waitFor();
		await workbench.screenshot('proposal-5-taken-back');
		await titleAction('Undo This Hunk').click();
		await strip.waitFor({ state: 'detached' });
		// The strip follows the text in the editor; only what is saved, too, can be redone.
		const redo = chat.view.getByRole('button', { name: 'Redo' });
		await redo.waitFor();
		assert.equal(text(), notes);
		await workbench.screenshot('proposal-6-undone');
		await redo.click();
		await strip.waitFor();
		// The hunk that the arrow took back stays so.
		const either = [notes.replace('line 3\n', 'LINE 3\n'), notes.replace('line 27', 'LINE 27')];
		await waitFor('the hunk is back', () => either.includes(text()));
	});
});
