/** What was typed and not sent, when the window is reloaded. */
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

describe('A draft', function () {
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

	/** As people do it, who do not wait before. */
	async function reloads(): Promise<void> {
		await workbench.page.evaluate(() => void Object.assign(window, { isBefore: true }));
		await workbench.runCommand('Developer: Reload Window');
		await waitFor(
			'the new window',
			() => workbench.page.evaluate(() => !('isBefore' in window)).catch(() => false),
			40_000,
		);
	}

	it('is there still, in its thread', async () => {
		await scripted.begin('Hello', [{ text: 'Hello.' }]);
		await chat.rested();
		await chat.input.fill('half a thought');
		await reloads();
		await waitFor('the draft', async () => (await chat.input.inputValue()) === 'half a thought', 40_000);
		await workbench.screenshot('drafts-1-after-reload');
	});
});
