/** Edits selected lines with a single answer of the model: the edit is shown between the lines of the file, and each part is written when it is accepted. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';

export function selectedLines(take: TakeWindow): void {
	describe('An edit of selected lines', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		const text = 'export const one = 1;\nexport const two = 3;\nexport const three = 3;\n';
		before(async () => {
			scripted = await take({ 'src/a.ts': text });
			const { page } = scripted.workbench;
			await page.getByRole('treeitem', { name: 'src' }).click();
			await page.getByRole('treeitem', { name: 'a.ts' }).dblclick();
		});
		after(() => scripted?.close());

		const file = () => join(scripted.workbench.workspace, 'src/a.ts');
		const onDisk = () => readFileSync(file(), 'utf8');
		const written = (expected: string) => waitFor('the new text', () => onDisk() === expected);
		const toast = (said: string) => scripted.workbench.page.locator('.notification-toast', { hasText: said });
		const line = (has: RegExp) =>
			scripted.workbench.page.locator('.editor-instance .lines-content .view-line', { hasText: has });
		const proposed = (has: string) => scripted.workbench.page.locator('.review-widget', { hasText: has });

		/** Asks for a change of the lines between the two that have these words. */
		async function edit(instruction: string, [from, to]: readonly [RegExp, RegExp], title: string): Promise<void> {
			const { page } = scripted.workbench;
			await line(from).first().click();
			await page.keyboard.press('Home');
			await line(to)
				.first()
				.click({ modifiers: ['Shift'] });
			await scripted.workbench.runCommand('Prowess: Edit Selection');
			const box = page.locator('.quick-input-widget', { hasText: title });
			await box.waitFor();
			await box.locator('input[type="text"]').fill(instruction);
			await page.keyboard.press('Enter');
		}
		/** Undoes all that was done to the text. */
		async function takeBack(): Promise<void> {
			const { keyboard } = scripted.workbench.page;
			await line(/const.two/).click();
			await waitFor(
				'the old text',
				async () => {
					await keyboard.press('Control+Z');
					await keyboard.press('Control+S');
					return onDisk() === text;
				},
				20_000,
			);
		}
		const editTwo = (instruction: string) => edit(instruction, [/const.two/, /const.two/], 'Edit Line 2 of a.ts');
		const editAll = (instruction: string) =>
			edit(instruction, [/const.one/, /const.three/], 'Edit Lines 1 to 3 of a.ts');

		it('writes nothing where the provider fails, and says what it says', async () => {
			scripted.follow([{ error: 401, message: 'the key is wrong' }]);
			await editTwo('Two is 2.');
			await toast('does not accept this key').waitFor();
			assert.equal(onDisk(), text);
			await scripted.workbench.runCommand('Notifications: Clear All Notifications');
		});

		it('stands between the lines, without another tab or panel, and is refused without a trace', async () => {
			scripted.follow([{ text: 'export const two = 20;' }]);
			await editTwo('Two is 20.');
			await proposed('two = 20').waitFor();
			const { page } = scripted.workbench;
			assert.equal(await page.getByRole('tab', { name: /a\.ts/ }).count(), 1);
			assert.equal(await page.locator('.part.panel').isVisible(), false);
			await scripted.workbench.screenshot('inline-edit-1-proposed');
			await proposed('two = 20').getByRole('button', { name: 'Refuse Edit' }).click();
			await proposed('two = 20').waitFor({ state: 'detached' });
			assert.equal(onDisk(), text);
			assert.equal(await line(/two.=.3/).count(), 1);
		});

		it('follows what is typed elsewhere, and its parts are accepted and refused alone; each is one step to undo', async () => {
			const { page } = scripted.workbench;
			const answer = 'export const one = 10;\nexport const two = 3;\nexport const three = 30;\nexport const four = 4;';
			scripted.follow([{ text: `\`\`\`ts\n${answer}\n\`\`\`\n` }]);
			await editAll('Ten times, but two.');
			await proposed('one = 10').waitFor();
			await proposed('four = 4').waitFor();
			assert.match(toldIn(scripted.requests()[0]), /Instruction: Ten times, but two\..*<selected>\\nexport const one/);
			// In the text of the editor nothing has changed, so nothing waits to be saved.
			assert.equal(await page.locator('.tab.dirty').count(), 0);
			await line(/const.one/).click();
			await page.keyboard.press('Home');
			await page.keyboard.insertText('const mine = 0;\n');
			await proposed('one = 10').getByRole('button', { name: 'Accept Edit' }).click();
			await written(`const mine = 0;\n${text.replace('one = 1', 'one = 10')}`);
			await scripted.workbench.screenshot('inline-edit-2-one-accepted');
			await proposed('four = 4').getByRole('button', { name: 'Refuse Edit' }).click();
			await proposed('four = 4').waitFor({ state: 'detached' });
			await line(/const.one/).click();
			await page.keyboard.press('Control+Z');
			await line(/one.=.1;/).waitFor();
			assert.equal(await line(/mine/).count(), 1);
			await page.keyboard.press('Control+S');
			await written(`const mine = 0;\n${text}`);
			await takeBack();
		});

		it('is accepted by the keyboard in its line, with all its parts from the title', async () => {
			const { page } = scripted.workbench;
			scripted.follow([{ text: 'export const one = 10;\nexport const two = 3;\nexport const three = 30;' }]);
			await editAll('Ten times, but two.');
			await proposed('three = 30').waitFor();
			await line(/const.three/).click();
			await page.keyboard.press('Control+Enter');
			await written(text.replace('three = 3', 'three = 30'));
			await page.getByRole('button', { name: 'Accept All Edits in This File' }).click();
			await written(text.replace('three = 3', 'three = 30').replace('one = 1', 'one = 10'));
			await proposed('one = 10').waitFor({ state: 'detached' });
			assert.equal(await page.getByRole('button', { name: 'Accept All Edits in This File' }).count(), 0);
			await takeBack();
		});

		it('is made of code in an answer, too, where that says its file, without asking a model', async () => {
			const { chat, workbench } = scripted;
			await chat.focus();
			const code = ['// src/a.ts', ...text.replace('two = 3', 'two = 2').trimEnd().split('\n')].join('\n');
			await scripted.begin('Mend it', [{ text: `So:\n\n\`\`\`ts\n${code}\n\`\`\`` }]);
			await chat.rested();
			await chat.view.getByRole('button', { name: 'Apply code' }).click();
			await proposed('two = 2').waitFor();
			await workbench.screenshot('inline-edit-4-of-answer');
			assert.equal(onDisk(), text);
			await proposed('two = 2').getByRole('button', { name: 'Accept Edit' }).click();
			await written(text.replace('two = 3', 'two = 2'));
			assert.equal(scripted.requests().length, 1);
			await takeBack();
		});

		it('is not written where its lines have changed since, and can be accepted once they are as they were', async () => {
			scripted.follow([{ text: 'export const two = 2;' }]);
			await editTwo('Two is 2.');
			await proposed('two = 2').waitFor();
			const { page } = scripted.workbench;
			await line(/const.two/).click();
			await page.keyboard.press('Home');
			await page.keyboard.insertText('/**/');
			await proposed('These lines have changed').waitFor();
			await scripted.workbench.screenshot('inline-edit-3-changed');
			await proposed('two = 2').getByRole('button', { name: 'Accept Edit' }).click();
			await toast('These lines have changed').waitFor();
			await line(/const.two/).click();
			await page.keyboard.press('Control+Z');
			await proposed('Proposed change 1 of 1').waitFor();
			await proposed('two = 2').getByRole('button', { name: 'Accept Edit' }).click();
			await written(text.replace('two = 3', 'two = 2'));
			await takeBack();
			await scripted.workbench.runCommand('Notifications: Clear All Notifications');
		});
	});
}
