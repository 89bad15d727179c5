import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { Chat } from '../../harness/chat.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

/** Built from parts, so that no scanner takes this file for a leak. */
const alike = `ghp_${'a1B2c3'.repeat(6)}`;
const stored = 'Canary/7f3a+x9!qZ2mW8vB4nK6';

export function keysInMessages(plain: () => ScriptedChat): void {
	describe('A key in a message', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			await chat.focus();
		});

		const button = (name: string) => chat.view.getByRole('button', { name, exact: true });
		const said = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
		const send = async (text: string) => {
			await chat.input.fill(text);
			await chat.input.press('Enter');
		};
		const told = () => scripted.requests().map(toldIn).join('\n');

		it('is removed after the user was asked, and nothing is sent before', async () => {
			scripted.follow([{ text: 'Without it.' }]);
			await chat.newThread();
			await send(`use ${alike} now`);
			await chat.view.getByText('1 key was removed from your message. Send it anyway?').waitFor();
			await workbench.screenshot('keys-1-asked');
			assert.deepEqual([scripted.requests().length, await chat.input.inputValue()], [0, `use ${alike} now`]);
			await button('Send without the key').click();
			await chat.answers.filter({ hasText: 'Without it.' }).waitFor();
			await chat.rested();
			assert.deepEqual([told().includes('use <redacted:github> now'), told().includes(alike)], [true, false]);
			assert.deepEqual(placesOf(alike), []);
			assert.ok(placesOf('<redacted:github>').some((path) => path.includes('threads.db')));
		});

		it('is sent as it was typed when the user says so', async () => {
			scripted.follow([{ text: 'With it.' }]);
			await send(`use ${alike} anyway`);
			await button('Send as typed').click();
			await chat.answers.filter({ hasText: 'With it.' }).waitFor();
			await chat.rested();
			assert.ok(told().includes(`use ${alike} anyway`));
		});

		it('is never sent when it is stored, in a message or in an answer to a question', async () => {
			await workbench.runCommand('Prowess: Store a Secret');
			const input = workbench.page.locator('.quick-input-widget input');
			for (const [hint, value] of [
				['Name by which capabilities ask for it', 'canary'],
				['Value of canary', stored],
			] as const) {
				await workbench.page.locator('.quick-input-widget').getByText(hint).waitFor();
				await input.fill(value);
				await input.press('Enter');
			}
			await said('Stored the secret canary.').waitFor();
			await chat.focus();

			scripted.follow([
				{ toolCalls: [{ name: 'user_ask', input: { question: 'Which key?', options: [] } }] },
				{ text: 'I have not seen it.' },
			]);
			await send(`it is ${stored}, or ${Buffer.from(stored).toString('base64')}`);
			await chat.view.getByText('Keys that are stored in Prowess are never sent.').waitFor();
			assert.equal(await button('Send as typed').count(), 0);
			await button('Send without the keys').click();
			await chat.view.getByRole('group', { name: 'Question' }).waitFor();
			await chat.view.getByPlaceholder('Type your answer to the question').fill(`take ${stored}`);
			await button('Answer').last().click();
			await said('1 key was removed from your answer.').waitFor();
			await chat.answers.filter({ hasText: 'I have not seen it.' }).waitFor();
			await chat.rested();
			await workbench.screenshot('keys-2-stored');
			assert.ok(told().includes('take <redacted:secret>'), told());
			assert.deepEqual(
				[stored, Buffer.from(stored).toString('base64')].filter((form) => told().includes(form)),
				[],
			);
			assert.deepEqual(placesOf(stored), []);
		});

		/** Files of the home of Prowess that hold this text. */
		function placesOf(text: string): string[] {
			return readdirSync(workbench.home, { withFileTypes: true, recursive: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name))
				.filter((path) => readFileSync(path).includes(text));
		}
	});
}
