import assert from 'node:assert/strict';
import { type ScriptEntry } from '../../../support/model-server.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

export function subAgents(plain: () => ScriptedChat): void {
	describe('Sub-agents in the chat', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		before(async () => {
			scripted = plain();
			await scripted.chat.focus();
		});

		const spawn = (
			task: string,
			name: string,
		): NonNullable<Extract<ScriptEntry, { toolCalls?: unknown }>['toolCalls']>[number] => ({
			name: 'agent_spawn',
			input: { task, name },
		});
		const card = (name: string) => scripted.chat.view.getByRole('group', { name: `Sub-agent ${name}` });

		it('have a card each with what they do and use, side by side, and one that is stopped reports that', async () => {
			const { chat, workbench } = scripted;
			await scripted.begin('Hand it on', [
				{ toolCalls: [spawn('Say what you find', 'finder'), spawn('Wait for ever', 'waiter')] },
				{ then: 'stall' },
				{ then: 'stall' },
				{ text: 'Both have ended.' },
			]);
			await card('finder').getByText('Running').waitFor();
			await card('waiter').getByText('Running').waitFor();
			await workbench.screenshot('agents-1-running');
			await card('finder').getByRole('button', { name: 'Stop' }).click();
			await card('finder').getByText('Terminated (stopped)').waitFor();
			await card('waiter').getByRole('button', { name: 'Open the thread' }).click();
			await chat.view.getByText('A sub-agent works in this thread.').waitFor();
			await chat.view.getByText('Wait for ever').first().waitFor();
			await workbench.screenshot('agents-2-thread');
			await chat.view.getByRole('button', { name: 'Back to that thread' }).click();
			await card('waiter').getByRole('button', { name: 'Stop' }).click();
			await card('waiter').getByText('Terminated (stopped)').waitFor();
			await chat.answers.last().getByText('Both have ended.').waitFor();
			await workbench.screenshot('agents-3-ended');
			assert.equal(scripted.requests().length, 4);
		});
	});
}
