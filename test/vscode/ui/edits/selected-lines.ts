/** Edits selected lines with a single answer of the model: the edit is shown first, and written when it is accepted. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
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
		const toast = (said: string) => scripted.workbench.page.locator('.notification-toast', { hasText: said });
		const tab = (name: RegExp) => scripted.workbench.page.getByRole('tab', { name });

		async function edit(instruction: string): Promise<void> {
			const { page } = scripted.workbench;
			await tab(/^a\.ts/)
				.first()
				.click();
			await page.locator('.editor-instance .view-line', { hasText: 'const two' }).first().click();
			await page.keyboard.press('Control+L');
			await scripted.workbench.runCommand('Prowess: Edit Selection');
			const box = page.locator('.quick-input-widget', { hasText: 'Edit Line 2 of a.ts' });
			await box.waitFor();
			await box.locator('input[type="text"]').fill(instruction);
			await page.keyboard.press('Enter');
		}

		it('writes nothing where the provider fails, and says what it says', async () => {
			scripted.follow([{ error: 401, message: 'the key is wrong' }]);
			await edit('Two is 2.');
			await toast('does not accept this key').waitFor();
			assert.equal(onDisk(), text);
			await scripted.workbench.runCommand('Notifications: Clear All Notifications');
		});

		it('is a diff that is refused without a trace', async () => {
			scripted.follow([{ text: 'export const two = 20;' }]);
			await edit('Two is 20.');
			await tab(/a\.ts \(proposed\)/).waitFor();
			await scripted.workbench.runCommand('Prowess: Refuse Edit');
			await tab(/a\.ts \(proposed\)/).waitFor({ state: 'detached' });
			assert.equal(onDisk(), text);
		});

		it('is written when it is accepted, recorded, and undone by the editor', async () => {
			scripted.follow([{ text: '```ts\nexport const two = 2;\n```\n' }]);
			await edit('Two is 2.');
			await tab(/a\.ts \(proposed\)/).waitFor();
			assert.match(
				toldIn(scripted.requests()[0]),
				/Instruction: Two is 2\..*<selected>\\nexport const two = 3;\\n<\/selected>/,
			);
			await scripted.workbench.page.locator('.editor.modified .view-line', { hasText: 'two = 2;' }).waitFor();
			assert.equal(onDisk(), text);
			await scripted.workbench.screenshot('inline-edit-1-proposed');
			await scripted.workbench.page.getByRole('button', { name: /^Accept Edit/ }).click();
			await waitFor('the new text', () => Promise.resolve(onDisk() === text.replace('two = 3', 'two = 2')), 20_000);
			await tab(/a\.ts \(proposed\)/).waitFor({ state: 'detached' });
			await scripted.workbench.screenshot('inline-edit-2-written');
			await scripted.workbench.page.keyboard.press('Control+Z');
			await scripted.workbench.page.keyboard.press('Control+S');
			await waitFor('the old text', () => Promise.resolve(onDisk() === text), 20_000);
		});

		it('is made of code in an answer, too, where that says its file, without asking a model', async () => {
			const { chat, workbench } = scripted;
			await chat.focus();
			const code = ['// src/a.ts', ...text.replace('two = 3', 'two = 2').trimEnd().split('\n')].join('\n');
			await scripted.begin('Mend it', [{ text: `So:\n\n\`\`\`ts\n${code}\n\`\`\`` }]);
			await chat.rested();
			await chat.view.getByRole('button', { name: 'Apply code' }).click();
			await tab(/a\.ts \(proposed\)/).waitFor();
			await workbench.page.locator('.editor.modified .view-line', { hasText: 'two = 2;' }).waitFor();
			await workbench.screenshot('inline-edit-4-of-answer');
			assert.equal(onDisk(), text);
			await workbench.page.getByRole('button', { name: /^Accept Edit/ }).click();
			await waitFor('the new text', () => Promise.resolve(onDisk() === text.replace('two = 3', 'two = 2')), 20_000);
			assert.equal(scripted.requests().length, 1);
			await tab(/a\.ts \(proposed\)/).waitFor({ state: 'detached' });
			await workbench.page.keyboard.press('Control+Z');
			await workbench.page.keyboard.press('Control+S');
			await waitFor('the old text', () => Promise.resolve(onDisk() === text), 20_000);
		});

		it('leaves a file alone that has changed since it was proposed', async () => {
			scripted.follow([{ text: 'export const two = 2;' }]);
			await edit('Two is 2.');
			await tab(/a\.ts \(proposed\)/).waitFor();
			const theirs = `${text}// theirs\n`;
			writeFileSync(file(), theirs);
			await scripted.workbench.page.locator('.editor.original .view-line', { hasText: '// theirs' }).waitFor();
			await scripted.workbench.runCommand('Prowess: Accept Edit');
			await toast('has changed meanwhile, so it was left as it is').waitFor();
			assert.equal(onDisk(), theirs);
			await scripted.workbench.screenshot('inline-edit-3-changed');
		});
	});
}
