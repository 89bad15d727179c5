import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScriptEntry } from '../../../support/model-server.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { capabilityViewsIn } from '../../harness/capability-views.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { pageFrameIn } from '../../harness/workbench.ts';

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
			await card('finder').getByText('Stopped').waitFor();
			await card('waiter').getByRole('button', { name: 'Open the thread' }).click();
			await chat.view.getByText('A sub-agent works in this thread.').waitFor();
			await chat.view.getByText('Wait for ever').first().waitFor();
			await workbench.screenshot('agents-2-thread');
			await chat.view.getByRole('button', { name: 'Back to that thread' }).click();
			await card('waiter').getByRole('button', { name: 'Stop' }).click();
			await card('waiter').getByText('Stopped').waitFor();
			await chat.answers.last().getByText('Both have ended.').waitFor();
			await workbench.screenshot('agents-3-ended');
			assert.equal(scripted.requests().length, 4);
		});

		it('stand in the tab Agents with the thread that they work for, and are opened and stopped from there', async () => {
			const { chat, workbench } = scripted;
			await scripted.begin('Hand on a long task', [
				{ toolCalls: [spawn('Wait for ever', 'sleeper')] },
				{ then: 'stall' },
				{ text: 'It has ended.' },
			]);
			await card('sleeper').getByText('Running').waitFor();
			const page = await capabilityViewsIn(workbench).automation('Agents');
			const row = (group: string, what: string) =>
				page.locator('section').filter({ hasText: group }).locator('.page-row').filter({ hasText: what });
			await row('At Work', 'Sub-agent of').getByText('sleeper', { exact: true }).waitFor();
			await row('At Work', 'Thread').first().waitFor();
			await workbench.screenshot('agents-4-in-sight');
			const acts = page.getByRole('group', { name: 'sleeper' });
			await acts.getByRole('button', { name: 'Open Thread' }).click();
			await chat.view.getByText('A sub-agent works in this thread.').waitFor();
			await acts.getByRole('button', { name: 'Stop' }).click();
			await row('Ended Today', 'sleeper').getByText('Stopped', { exact: true }).waitFor();
			await chat.view.getByRole('button', { name: 'Back to that thread' }).click();
			await chat.answers.last().getByText('It has ended.').waitFor();
			await workbench.runCommand('View: Close All Editors');
			await scripted.chat.focus();
		});

		it('are named in the ledger beside what they did, as long as they are there', async () => {
			const { chat, workbench } = scripted;
			writeFileSync(join(workbench.workspace, 'clue.txt'), 'the cause\n');
			await scripted.begin('Have it looked at', [
				{ toolCalls: [spawn('Look at the clue', 'detective')] },
				{ toolCalls: [{ name: 'fs_read', input: { path: 'clue.txt' } }] },
				{ text: 'It is the cause.' },
				{ text: 'That was seen.' },
			]);
			await chat.answers.last().getByText('That was seen.').waitFor();
			await workbench.runCommand('Prowess: Show Ledger');
			const row = pageFrameIn(workbench.page).locator('tr:not(.ledger-detail)', { hasText: 'Read clue.txt' });
			await row.getByRole('button', { name: 'detective' }).click();
			await chat.view.getByText('A sub-agent works in this thread.').waitFor();
			await workbench.runCommand('View: Close All Editors');
			await scripted.chat.focus();
		});

		it('of a file hand over to the next one by a button, with the prompt ready in the composer', async () => {
			const { chat, workbench } = scripted;
			const views = capabilityViewsIn(workbench);
			const folder = join(workbench.workspace, '.github/agents');
			mkdirSync(folder, { recursive: true });
			const next = 'handoffs:\n  - label: Start the work\n    agent: builder\n    prompt: Carry out this plan.\n';
			writeFileSync(join(folder, 'planner.agent.md'), `---\ntools: [read]\n${next}---\nOnly plan.\n`);
			writeFileSync(join(folder, 'builder.agent.md'), '---\n---\nBuild what was planned.\n');
			const dialog = workbench.page.locator('.monaco-dialog-box');
			for (const name of ['builder', 'planner']) {
				await workbench.runCommand('Prowess: Show Custom Agents');
				await views.choose(name);
				await dialog.getByRole('button', { name: 'Allow' }).click();
				await views.toast(`${name} is allowed`).waitFor();
			}
			await workbench.runCommand('Prowess: Show Custom Agents');
			await views.choose('planner');
			await dialog.getByRole('button', { name: 'New thread' }).click();
			await chat.view.getByText('This thread follows the custom agent planner.').waitFor();
			scripted.follow([{ text: 'First the column, then the tests.' }]);
			await chat.ask('Plan it');
			const button = chat.view
				.getByRole('group', { name: 'Hand over' })
				.getByRole('button', { name: 'Start the work' });
			await button.waitFor();
			await workbench.screenshot('agents-4-hand-off');
			await button.click();
			await chat.view.getByText('This thread follows the custom agent builder.').waitFor();
			await waitFor('the prompt', async () => (await chat.input.inputValue()) === 'Carry out this plan.', 40_000);
			// The attachment bears the name of its thread, not of the button that was pressed.
			await chat.view.getByRole('list', { name: 'Context' }).getByText('Plan it').waitFor();
			await workbench.screenshot('agents-5-handed-over');
			assert.equal(scripted.requests().length, 1);
			await chat.newThread();
		});
	});
}
