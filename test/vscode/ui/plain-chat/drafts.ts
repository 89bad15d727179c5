/** Checks that text which was typed and not sent survives a reload of the window. */
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { Chat } from '../../harness/chat.ts';
import { reloadByCommand } from '../../harness/reload-by-command.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

export function drafts(plain: () => ScriptedChat): void {
	describe('A draft', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			await chat.focus();
		});

		it('is there still, in its thread', async () => {
			await scripted.begin('Hello', [{ text: 'Hello.' }]);
			await chat.rested();
			await chat.input.fill('half a thought');
			await reloadByCommand(workbench);
			await waitFor('the draft', async () => (await chat.input.inputValue()) === 'half a thought', 40_000);
			await workbench.screenshot('drafts-1-after-reload');
		});
	});
}
