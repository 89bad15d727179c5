/** What goes along with a message, and what code in an answer becomes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';

describe('What goes along with a message', () => {
	let scripted: ScriptedChat;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat({ workspace: { 'src/a.ts': 'export const a = 1;\n' } });
		({ chat } = scripted);
		const cwd = scripted.workbench.workspace;
		const git = (...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
		git('init', '-q');
		git('add', 'src/a.ts');
		git('commit', '-qm', 'a');
		writeFileSync(join(cwd, 'src/a.ts'), 'export const changed = 2;\n');
		await chat.focus();
	});
	after(() => scripted?.close());

	it('are the uncommitted changes, chosen after @, as Git shows them', async () => {
		scripted.follow([{ text: 'I see the change.' }]);
		await chat.newThread();
		await chat.input.pressSequentially('@chang');
		await chat.view.getByRole('option', { name: /^changes/ }).waitFor();
		await scripted.workbench.screenshot('attached-1-changes');
		await chat.input.press('Enter');
		await chat.view.locator('.chips .chip', { hasText: 'changes' }).waitFor();
		await chat.input.pressSequentially(' What is this?');
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /<changes>.*-export const a = 1;.*\+export const changed = 2;/);
	});

	it('is a long text that was pasted, beside what is written about it', async () => {
		scripted.follow([{ text: 'A log.' }]);
		await chat.newThread();
		await chat.input.fill('What is this?');
		await chat.input.evaluate((element) => {
			const data = new DataTransfer();
			data.setData('text/plain', Array.from({ length: 80 }, (_, n) => `row ${n}`).join('\n'));
			element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
		});
		const chip = chat.view.locator('.chips .chip', { hasText: 'pasted text (80 lines)' });
		await chip.waitFor();
		await scripted.workbench.screenshot('attached-2-pasted');
		assert.equal(await chat.input.inputValue(), 'What is this?');
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /What is this\?.*<pasted>.*row 0.*row 79/);
	});

	it('is code of an answer, which runs only after a yes', async () => {
		await scripted.begin('How is it run?', [{ text: 'So:\n\n```sh\nnode -p 40+2\n```' }]);
		await chat.rested();
		scripted.follow([
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-p', '40+2'] } }] },
			{ text: 'It says 42.' },
		]);
		await chat.view.getByRole('button', { name: 'Run code' }).click();
		await chat.asked('Run node -p 40+2');
		await scripted.workbench.screenshot('attached-3-run-asked');
		await chat.press('Run node -p 40+2', '1');
		await chat.answers.filter({ hasText: 'It says 42.' }).waitFor();
		assert.match(toldIn(scripted.requests()[0]), /Run this, and tell me what it says:.*node -p 40\+2/);
	});
});
