import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Chat, chatIn } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { EditorWindow } from '../harness/workbench.ts';

const words = Array.from({ length: 40 }, (_, index) => `word${index}.`);

describe('A second window on the same folder', () => {
	let scripted: ScriptedChat;
	let first: Chat;
	let window: EditorWindow;
	let second: Chat;
	before(async () => {
		scripted = await openScriptedChat();
		first = scripted.chat;
		await first.focus();
		await scripted.begin('Say something', [{ text: 'Good day.' }]);
		await first.rested();
		window = await scripted.workbench.openWindow();
		second = chatIn(window);
		await second.focus();
		await second.answers.filter({ hasText: 'Good day.' }).waitFor();
	});
	after(() => scripted?.close());

	const held = (chat: Chat) => chat.view.locator('.banner.held');
	const problem = (chat: Chat) => chat.view.locator('.banner.problem');

	it('follows a turn of the first one live, and is up to date at its end without a reload', async () => {
		scripted.follow([{ chunks: words.map((word) => `${word} `), delayMs: 100 }]);
		await first.ask('Tell me slowly');
		await second.answers.filter({ hasText: 'word2.' }).waitFor();
		assert.equal(await second.answers.filter({ hasText: words.at(-1) ?? '' }).count(), 0, 'only at the end');
		await held(second).getByText('Another window is working in this thread.').waitFor();
		await second.answers.filter({ hasText: words.at(-1) ?? '' }).waitFor();
		await held(second).waitFor({ state: 'detached' });
		await second.rested();
		assert.deepEqual(await second.transcript(), await first.transcript());
	});

	it('shows that a question waits there, keeps what is typed here, and says why nothing is sent', async () => {
		scripted.follow([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'tw.txt', content: 'no' } }] },
			{ text: 'As you like.' },
		]);
		await first.ask('Write it');
		await first.asked('Write tw.txt');
		await held(second).getByText('It waits for your answer there.').waitFor();
		assert.equal(await second.dock.count(), 0);
		assert.equal(await second.view.getByRole('button', { name: 'Stop', exact: true }).count(), 0);
		await second.input.fill('Me too');
		await second.input.press('Enter');
		await problem(second).getByText('Another window or terminal is working in this thread.').waitFor();
		assert.equal(await second.input.inputValue(), 'Me too');
		await window.page.screenshot({ path: 'artifacts/second-window-1-waiting.png' });
	});

	it('takes the thread over: the turn is stopped there, and goes on here', async () => {
		scripted.follow([{ text: 'Here I am.' }]);
		await held(second).getByRole('button', { name: 'Take over' }).click();
		await held(second).waitFor({ state: 'detached' });
		await first.notices.filter({ hasText: 'taken over elsewhere' }).waitFor();
		assert.equal(await first.dock.count(), 0);
		assert.equal(existsSync(join(scripted.workbench.workspace, 'tw.txt')), false);
		await second.ask('Go on');
		await second.answers.filter({ hasText: 'Here I am.' }).waitFor();
		await first.answers.filter({ hasText: 'Here I am.' }).waitFor();
		await second.rested();
		await first.rested();
		assert.deepEqual(await first.transcript(), await second.transcript());
	});

	it('has its question found again after its browser has died', async () => {
		scripted.follow([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'lost.txt', content: 'no' } }] },
			{ text: 'Found again.' },
		]);
		await second.ask('Write that');
		await second.asked('Write lost.txt');
		await window.crash();
		await held(first).getByText('It waits for your answer there.').waitFor();
		await held(first).getByRole('button', { name: 'Take over' }).click();
		await held(first).waitFor({ state: 'detached', timeout: 30_000 });
		assert.match((await first.transcript()).at(-2) ?? '', /Write lost\.txt|taken over/u);
		scripted.follow([{ text: 'Found again.' }]);
		await first.ask('Go on then');
		await first.answers.filter({ hasText: 'Found again.' }).waitFor();
	});
});
