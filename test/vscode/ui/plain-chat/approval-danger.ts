import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { Chat } from '../../harness/chat.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

const command = 'Run rm -rf docs';
const script = [
	{ toolCalls: [{ name: 'shell_run', input: { argv: ['rm', '-rf', 'docs'] } }] },
	{ text: 'That was it.' },
];

export function dangerousApproval(plain: () => ScriptedChat): void {
	describe('An approval of a dangerous command', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		const docs = () => join(workbench.workspace, 'docs');
		const dialog = () => workbench.page.locator('.monaco-dialog-box');
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			mkdirSync(docs());
			writeFileSync(join(docs(), 'cart.js'), '');
			await chat.focus();
		});

		it('is denied by Escape in the empty input, and the turn goes on', async () => {
			await scripted.begin('Clean up', script);
			await chat.asked(command);
			await chat.input.press('Escape');
			await chat.rested();
			assert.deepEqual(await chat.transcript(), ['user: Clean up', `tool denied: ${command}`, 'text: That was it.']);
			assert.ok(existsSync(docs()));
		});

		it('is not given by Enter, and not before the editor has shown the whole command', async () => {
			await scripted.begin('Clean up after all', script);
			const dock = await chat.asked(command);
			assert.deepEqual(await dock.locator('.risk, .risks li').allInnerTexts(), [
				'Dangerous',
				'Deletes a folder and everything in it',
				'Deletes without asking',
			]);
			await workbench.screenshot('danger-1-asked');
			await chat.input.press('Enter');
			await chat.input.press('1');
			await dialog().filter({ hasText: '$ rm -rf docs' }).filter({ hasText: 'Deletes a folder' }).waitFor();
			await workbench.screenshot('danger-2-confirmed');
			await dialog().getByRole('button', { name: 'Cancel' }).click();
			// The command has not run, and the question stays open.
			assert.ok(existsSync(docs()));
			await chat.press(command, '1');
			await dialog().getByRole('button', { name: 'Allow Once' }).click();
			await chat.rested();
			assert.ok(!existsSync(docs()));
		});
	});
}
