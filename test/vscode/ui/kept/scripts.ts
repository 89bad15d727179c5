/** A script of the user asks in the chat, whichever thread is shown there. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { capabilityViewsIn } from '../../harness/capability-views.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { pageFrameIn } from '../../harness/workbench.ts';

const script = [
	'name: Take a note',
	'description: Writes one file',
	'steps:',
	'  - id: note',
	'    op: fs.write',
	'    with: { path: note.txt, content: done }',
	'',
].join('\n');

export function scripts(take: TakeWindow): void {
	describe('A script in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		before(async () => {
			scripted = await take({ 'note.yaml': script });
		});
		after(() => scripted?.close());

		it('that waits for an answer shows the chat and its question there, with nothing over it', async () => {
			const { workbench, chat } = scripted;
			const { page } = workbench;
			const automation = await capabilityViewsIn(workbench).automation('Scripts');
			await automation.getByRole('button', { name: 'Run…' }).click();
			await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Run Script' }).click();
			const question = await chat.asked('Write note.txt');
			await question.getByText('Not part of any thread.').waitFor();
			await automation.getByText('running', { exact: true }).waitFor();
			await page.locator('.statusbar-item', { hasText: 'needs your answer in the chat' }).waitFor();
			assert.equal(await page.locator('.notification-toast').count(), 0);
			assert.equal(await chat.view.locator('.elsewhere').count(), 0);
			assert.equal(existsSync(join(workbench.workspace, 'note.txt')), false);
			await workbench.screenshot('script-1-asks');
			await chat.press('Write note.txt', '1');
			await waitFor('the note', () => existsSync(join(workbench.workspace, 'note.txt')));
			await page.locator('.notification-toast', { hasText: 'The script is done' }).waitFor();
			await workbench.runCommand('Notifications: Clear All Notifications');
		});

		it('that is done leads to the rows of its ops', async () => {
			const { workbench } = scripted;
			const automation = await capabilityViewsIn(workbench).automation('Scripts');
			await automation.getByText('Done').waitFor();
			await automation.getByRole('button', { name: 'Show in Ledger' }).click();
			const ledger = pageFrameIn(workbench.page);
			await ledger.locator('tr:not(.ledger-detail)', { hasText: 'Write note.txt' }).first().waitFor();
			await workbench.screenshot('script-2-ledger');
		});
	});
}
