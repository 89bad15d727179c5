/** A command that runs, in the hands of the user. */
import assert from 'node:assert/strict';
import { waitFor } from '../../../support/wait-for.ts';
import { runningProcesses } from '../../../support/processes.ts';
import type { Chat } from '../../harness/chat.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';

export function runningCommand(take: TakeWindow): void {
	describe('A command that runs', () => {
		let scripted: ScriptedChat;
		let chat: Chat;
		before(async () => {
			scripted = await take();
			({ chat } = scripted);
		});
		after(() => scripted?.close());

		const mark = `ticking-${process.pid}`;
		const ticking = `let n = 0; setInterval(() => console.log('tick', n++), 100) // ${mark}`;
		const isTicking = () => runningProcesses().some(({ commandLine }) => commandLine.includes(mark));
		const untilGone = () => waitFor('the end of the program', () => !isTicking());
		const button = (name: string) => chat.view.getByRole('button', { name, exact: true });

		/** Gives its card once it runs and has said who it is. */
		async function begin(more: readonly { text: string }[]) {
			await scripted.begin('Watch it', [
				{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', ticking] } }] },
				...more,
			]);
			await chat.dock.first().waitFor();
			await chat.dock.and(chat.view.locator('[data-settled="true"]')).press('1');
			await button('Stop this command').waitFor();
			const card = chat.card('Run node');
			await chat.unfold(card);
			const output = card.getByLabel('Output', { exact: true });
			await output.filter({ hasText: /tick 3/ }).waitFor();
			assert.ok(isTicking());
			return { card, output };
		}

		it('is stopped alone: the agent goes on with what it had said', async () => {
			const { card, output } = await begin([{ text: 'It ticks.' }]);
			await scripted.workbench.screenshot('running-command-1-buttons');
			await button('Stop this command').click();
			await chat.rested();
			await untilGone();
			assert.equal(await chat.answers.last().innerText(), 'It ticks.');
			assert.match(toldIn(scripted.requests()[1]), /tick 3.*\[stopped by the user/);
			await output.filter({ hasText: /tick 3/ }).waitFor();
			await card.getByText('You stopped this command. The agent went on with what it had said.').waitFor();
			await scripted.workbench.screenshot('running-command-2-stopped');
		});

		it('goes on in the background, is followed in a terminal and stopped from its card', async () => {
			const { card } = await begin([{ text: 'It goes on.' }]);
			await button('Continue in background').click();
			await chat.rested();
			assert.match(toldIn(scripted.requests()[1]), /still running as cmd_[^:]+: the user sent it to the background/);
			assert.ok(isTicking());
			await card.getByText('in the background', { exact: true }).waitFor();
			await button('Show in terminal').click();
			const rows = scripted.workbench.page.locator('.terminal-wrapper.active .xterm-rows');
			await rows.filter({ hasText: /tick \d\d/ }).waitFor();
			await scripted.workbench.screenshot('running-command-3-terminal');
			await button('Stop this command').click();
			await rows.filter({ hasText: 'Stopped by you.' }).waitFor();
			await untilGone();
			await button('Stop this command').click();
			const problem = chat.view.locator('.banner.problem', { hasText: 'This command has ended.' });
			await problem.getByRole('button', { name: 'Dismiss' }).click();
		});

		it('keeps what it had said when its turn is stopped, and the model is told of it', async () => {
			const { card, output } = await begin([]);
			await chat.view.getByRole('button', { name: 'Stop', exact: true }).click();
			await chat.rested();
			await untilGone();
			await output.filter({ hasText: /tick 3/ }).waitFor();
			await card.getByText('This was stopped.').waitFor();
			assert.equal(await card.getByText('CANCELLED').count(), 0);
			await scripted.workbench.screenshot('running-command-4-turn-stopped');
			scripted.follow([{ text: 'I see.' }]);
			await chat.ask('What did it say?');
			await chat.rested();
			assert.match(toldIn(scripted.requests()[0]), /CANCELLED.*tick 3/);
		});

		it('has an output that opens whole in an editor, where the card shows a part', async () => {
			const long = "for (let n = 0; n < 9000; n++) console.log('line', n, 'of a long output')";
			await scripted.begin('Say much', [
				{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', long] } }] },
				{ text: 'That was much.' },
			]);
			await chat.dock.first().waitFor();
			await chat.dock.and(chat.view.locator('[data-settled="true"]')).press('1');
			await chat.rested();
			await chat.unfold(chat.card('Run node'));
			await button('Open full output').click();
			const { page } = scripted.workbench;
			await page.locator('.tab.active', { hasText: /Untitled|line 0 of/ }).waitFor();
			await page.locator('.monaco-editor .view-line', { hasText: 'line 0 of a long output' }).first().waitFor();
			// The editor would ask about its text, which is not saved.
			await scripted.workbench.runCommand('View: Revert and Close Editor');
			await page.locator('.tab.active', { hasText: /Untitled|line 0 of/ }).waitFor({ state: 'detached' });
		});
	});
}
