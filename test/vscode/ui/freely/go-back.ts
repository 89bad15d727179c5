/** The way back to a message in the real editor: what will change is listed first, files and conversation go back, Redo has them again. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { capabilityViewsIn } from '../../harness/capability-views.ts';
import type { Chat } from '../../harness/chat.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

export function goBack(take: TakeWindow): void {
	describe('The way back to a message', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		const path = (name: string) => join(workbench.workspace, name);
		const write = (name: string, content: string) => ({
			toolCalls: [{ name: 'fs_write', input: { path: name, content } }],
		});

		before(async () => {
			scripted = await take();
			({ workbench, chat } = scripted);
			await scripted.begin('Make one file', [write('one.txt', 'one\n'), { text: 'One is made.' }]);
			await chat.rested();
			scripted.follow([write('one.txt', 'ONE\n'), write('two.txt', 'two\n'), { text: 'Two is made.' }]);
			await chat.ask('Now make two');
			await chat.rested();
			await chat.answers.getByText('Two is made.').waitFor();
		});
		after(() => scripted?.close());

		const dock = () => chat.view.getByRole('region', { name: 'Go back' });
		const went = () => chat.view.getByRole('region', { name: 'Went back' });
		const files = () =>
			['one.txt', 'two.txt'].map((name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : ''));

		it('lists what will change, and changes nothing when it is left', async () => {
			const message = chat.view.locator('.item.user').last();
			await message.hover();
			await message.getByRole('button', { name: 'Go back to before this message' }).click();
			await dock().getByText('two.txt').waitFor();
			await dock().getByText('file is deleted').waitFor();
			await dock().getByText('1 message leaves the conversation').waitFor();
			await workbench.screenshot('go-back-1-asked');
			await dock().getByRole('button', { name: 'Cancel' }).click();
			await dock().waitFor({ state: 'detached' });
			assert.deepEqual(files(), ['ONE\n', 'two\n']);
		});

		it('takes files and conversation back, and has the message in the input again', async () => {
			const message = chat.view.locator('.item.user').last();
			await message.hover();
			await message.getByRole('button', { name: 'Go back to before this message' }).click();
			await dock().getByRole('button', { name: 'Files and conversation' }).click();
			await went().getByText('The conversation and 2 files went back').waitFor();
			assert.deepEqual(files(), ['one\n', '']);
			await chat.answers.getByText('Two is made.').waitFor({ state: 'detached' });
			assert.equal(await chat.view.locator('.item.user').count(), 1);
			assert.equal(await chat.input.inputValue(), 'Now make two');
			await workbench.screenshot('go-back-2-went');
		});

		it('is taken back by Redo', async () => {
			await went().getByRole('button', { name: 'Redo' }).click();
			await chat.answers.getByText('Two is made.').waitFor();
			await went().waitFor({ state: 'detached' });
			await waitFor('the files to come back', () => files().join('') === 'ONE\ntwo\n');
		});

		it('is chosen with /rewind, and leaves alone what the user has changed since', async () => {
			writeFileSync(path('one.txt'), 'mine\n');
			await chat.input.fill('/rewind');
			await chat.input.press('Enter');
			await dock().getByRole('button', { name: 'Now make two' }).click();
			await dock().getByText('stays: changed since by somebody else').waitFor();
			await dock().getByRole('button', { name: 'Only files' }).click();
			await went().getByText('1 file went back').waitFor();
			assert.deepEqual(files(), ['mine\n', '']);
		});

		it('forks the thread instead, with the message in the input', async () => {
			const message = chat.view.locator('.item.user').last();
			await message.hover();
			await message.getByRole('button', { name: 'Fork the thread before this message' }).click();
			await chat.view.getByText('Make one file (fork)').first().waitFor();
			assert.equal(await chat.view.locator('.item.user').count(), 1);
			scripted.follow([{ text: 'Another way.' }]);
			await chat.ask('Go another way');
			await chat.rested();
			const told = toldIn(scripted.requests().at(-1));
			assert.ok(told.includes('Make one file') && !told.includes('Now make two'));
		});

		it('is archived and compared from the tab Agents, as any other thread', async () => {
			const page = await capabilityViewsIn(workbench).automation('Agents');
			const rows = (group: string) =>
				page.locator('section').filter({ hasText: group }).locator('.page-row').filter({ hasText: 'Make one file' });
			await rows('Resting').filter({ hasText: 'fork' }).getByRole('button', { name: 'Archive' }).click();
			await rows('Ended Today').filter({ hasText: 'fork' }).waitFor();
			await workbench.screenshot('agents-5-archived');
			await rows('Resting').getByRole('button', { name: 'Show Changes' }).click();
			await workbench.page.locator('.multiDiffEntry').filter({ hasText: 'one.txt' }).waitFor();
			await workbench.screenshot('agents-6-compared');
			await workbench.runCommand('View: Close All Editors');
		});
	});
}
