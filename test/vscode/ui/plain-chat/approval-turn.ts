/** A fix in the real editor: the first question is answered for the turn, and nothing else is asked until the turn ends. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { Chat } from '../../harness/chat.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

const write = (path: string) => ({ toolCalls: [{ name: 'fs_write', input: { path, content: `${path}\n` } }] });

export function approvalForTheTurn(plain: () => ScriptedChat): void {
	describe('An approval that is answered for the turn', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		const isThere = (path: string) => existsSync(join(workbench.workspace, path));
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			await chat.focus();
		});

		it('says behind More how far the answer reaches, and lets the rest of the turn pass', async () => {
			await scripted.begin('Fix it', [write('one.txt'), write('two.txt'), { text: 'Fixed.' }]);
			const dock = await chat.asked('Write one.txt');
			await dock.getByRole('button', { name: 'More' }).click();
			const answer = dock.getByRole('button', { name: 'Allow for this turn' });
			await answer.getByText('as at the level Auto, until this turn ends').waitFor();
			await workbench.screenshot('turn-1-offered');
			await answer.click();
			await chat.rested();
			assert.deepEqual([isThere('one.txt'), isThere('two.txt')], [true, true]);
			await chat.card('Write two.txt').getByRole('img', { name: 'Allowed by your answer for this turn.' }).waitFor();
			await workbench.screenshot('turn-2-passed');
		});

		it('asks again in the next turn', async () => {
			scripted.follow([write('three.txt'), { text: 'Then not.' }]);
			await chat.ask('And another one');
			await chat.press('Write three.txt', '4');
			await chat.rested();
			assert.equal(isThere('three.txt'), false);
		});
	});
}
