/** Retry of an older message in the real editor: it asks, says what it removed, and is taken back with one press. */
import assert from 'node:assert/strict';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { Chat } from '../../harness/chat.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

export function retryTakenBack(plain: () => ScriptedChat): void {
	describe('A retry of an older message', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			await chat.focus();
			await scripted.begin('The first question', [{ text: 'The first answer.' }]);
			await chat.rested();
			scripted.follow([{ text: 'The second answer.' }]);
			await chat.ask('The second question');
			await chat.rested();
			await chat.answers.getByText('The second answer.').waitFor();
		});

		const whole = [
			'user: The first question',
			'text: The first answer.',
			'user: The second question',
			'text: The second answer.',
		];

		it('asks before it removes anything', async () => {
			const message = chat.view.locator('.item.user').first();
			await message.hover();
			await message.getByRole('button', { name: 'Retry this message' }).click();
			await chat.view.getByText('Everything after this message is removed, until you restore it.').waitFor();
			assert.deepEqual(await chat.transcript(), whole);
			await workbench.screenshot('retry-1-asked');
		});

		it('says what it removed, and Restore has it again', async () => {
			scripted.follow([{ text: 'Another answer.' }]);
			await chat.view.locator('.confirm').getByRole('button', { name: 'Retry' }).click();
			await chat.answers.getByText('Another answer.').waitFor();
			await chat.rested();
			const strip = chat.view.getByRole('region', { name: 'Removed messages' });
			await strip.getByText('2 messages were removed').waitFor();
			await workbench.screenshot('retry-2-removed');
			await strip.getByRole('button', { name: 'Restore' }).click();
			await chat.answers.getByText('The second answer.').waitFor();
			await chat.answers.getByText('Another answer.').waitFor({ state: 'detached' });
			assert.deepEqual(await chat.transcript(), whole);
			await strip.getByText('1 message was removed').waitFor();
			await workbench.screenshot('retry-3-restored');
			await strip.getByRole('button', { name: 'Hide' }).click();
			await strip.waitFor({ state: 'detached' });
		});
	});
}
