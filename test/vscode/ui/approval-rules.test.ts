import assert from 'node:assert/strict';
import { inOrder } from '../../support/shuffled-specs.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const argv = ['node', '-e', '0'];
const command = 'Run node -e 0';
const script = [{ toolCalls: [{ name: 'shell_run', input: { argv } }] }, { text: 'It ran.' }];

describe('A rule for this project', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat();
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	it('is saved by the button that says so, and named by the card it lets through', async () => {
		await scripted.begin('Run it', script);
		await chat.press(command, '3');
		await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
		// Nothing is stored, and the question stays open.
		await chat.press(command, '3');
		await chat.confirmKept();
		await chat.rested();
		await scripted.begin('Run it again', script);
		await chat.rested();
		await chat
			.card(command)
			.getByRole('img', { name: `Allowed by your rule for this project: shell.run ${argv.join(' ')}` })
			.waitFor();
		await workbench.screenshot('rules-1-allowed');
		assert.equal(await chat.dock.count(), 0);
	});

	it('is listed and removed in the palette, and then asked about again', async () => {
		await workbench.runCommand('Prowess: Manage Approval Rules');
		const list = workbench.page.locator('.quick-input-widget');
		const row = list.locator('.monaco-list-row', { hasText: 'shell.run node -e 0' });
		await row.filter({ hasText: 'this project' }).waitFor();
		await row.click();
		await workbench.screenshot('rules-2-listed');
		await list.getByRole('button', { name: 'OK' }).click();
		await workbench.page.locator('.notification-toast', { hasText: 'Prowess asks about this again.' }).waitFor();
		await scripted.begin('And once more', [script[0] ?? {}, { text: 'Then not.' }]);
		await chat.press(command, '4');
		await chat.rested();
		await workbench.runCommand('Prowess: Manage Approval Rules');
		await workbench.page.locator('.notification-toast', { hasText: 'No rules are saved.' }).waitFor();
	});
});
