import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { User } from '../../../integration/cli/cli-process.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { type CapabilityViews, capabilityViewsIn } from '../../harness/capability-views.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

export function schedules(take: TakeWindow): void {
	describe('Schedules in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let views: CapabilityViews;
		before(async () => {
			scripted = await take();
			views = capabilityViewsIn(scripted.workbench);
		});
		after(() => scripted?.close());
		const schedules = () => views.automation('Schedules');

		it('are added step by step, and refused with the reason where the time is none', async () => {
			const { workbench } = scripted;
			const { page } = workbench;
			for (const [when, notice] of [
				['sometimes', /is not a time/],
				['every weekday at 9', /It runs next on/],
			] as const) {
				await (await schedules()).getByRole('button', { name: 'Add Schedule…' }).click();
				await views.answer(when);
				await views.form.getByText('What is the agent to do?').waitFor();
				await views.answer('List the open TODOs');
				await views.choose('Only read');
				await page.locator('.notification-toast').filter({ hasText: notice }).waitFor();
			}
			await workbench.screenshot('schedules-1-added');
		});

		it('run now, in a thread of their own, and the end leads there', async () => {
			const { workbench, chat } = scripted;
			scripted.follow([{ text: 'There are no open TODOs.' }]);
			const page = await schedules();
			await workbench.screenshot('schedules-2-list');
			await page.getByRole('button', { name: 'Run Now' }).click();
			const toast = workbench.page.locator('.notification-toast').filter({ hasText: 'The scheduled run has ended' });
			await toast.getByRole('button', { name: 'Open Thread' }).click();
			await chat.answers.last().getByText('There are no open TODOs.').waitFor();
			await workbench.screenshot('schedules-3-thread');
		});

		it('show who has carried out the last run, and whether anything works in the background', async () => {
			const { workbench } = scripted;
			const page = await schedules();
			await page.getByText(/last: .*, Done, by this window/).waitFor();
			await page.getByText(/Nothing works in the background/).waitFor();
			const user = new User();
			const serving = user.starts(['serve'], { env: { PROWESS_HOME: join(workbench.home, '.prowess') } });
			try {
				await waitFor('it serves', () => serving.stderr.includes('Prowess works in the background'), 60_000);
				await (await schedules()).getByText(`Works in the background: process ${serving.pid}, since`).waitFor();
				await workbench.screenshot('schedules-5-background');
				await (await schedules()).getByRole('button', { name: 'Work in the Background…' }).click();
				// The preview takes the focus some time after it is shown, which would close a list that is opened before.
				const preview = workbench.page
					.locator('iframe.webview.ready[src*="extensionId=vscode.markdown"]')
					.contentFrame();
				await preview.locator('#active-frame').contentFrame().locator('h1').waitFor();
				await workbench.runCommand('View: Close All Editors');
			} finally {
				serving.child.kill('SIGTERM');
				await serving.ended;
			}
		});

		it('wait for a change of files, and tell of it', async () => {
			const { workbench } = scripted;
			const page = await views.automation('Watches');
			await page.getByRole('button', { name: 'Add Watch…' }).click();
			await views.answer('when docs/** changes');
			await views.form.getByText('What is the agent to do?').waitFor();
			await views.answer('');
			await workbench.page.locator('.notification-toast').filter({ hasText: 'look at the files docs/**' }).waitFor();
			await (await views.automation('Watches')).getByText('0 files').waitFor();
			await workbench.screenshot('schedules-7-watch-waits');
			mkdirSync(join(workbench.workspace, 'docs'));
			writeFileSync(join(workbench.workspace, 'docs/a.md'), 'A');
			await workbench.page
				.locator('.notification-toast')
				.filter({ hasText: 'It has happened: when docs/** changes' })
				.waitFor();
			await (await views.automation('Watches')).getByText('1 file').waitFor();
			await workbench.screenshot('schedules-8-watch-held');
		});

		it('are offered beside an answer to what may mean one, and made of that message by a click', async () => {
			const { chat, workbench } = scripted;
			await scripted.begin('Run the cleanup every hour', [{ text: 'Which cleanup do you mean?' }]);
			await chat.answers.last().getByText('Which cleanup do you mean?').waitFor();
			const offer = chat.view.getByRole('button', { name: 'Run this on a schedule' });
			await offer.waitFor();
			await workbench.screenshot('schedules-6-offered');
			await offer.click();
			await chat.press('Schedule every hour: Run the cleanup', '1');
			await chat.answers.last().getByText('Scheduled: every hour').waitFor();
			assert.equal(scripted.requests().length, 1, 'no model is asked for the schedule');
			const made = (await schedules()).locator('.page-row').filter({ hasText: 'Run the cleanup' });
			await made.getByRole('button', { name: 'Delete…' }).click();
			await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
			await made.waitFor({ state: 'detached' });
		});

		it('are deleted after a question', async () => {
			const { workbench } = scripted;
			await (await schedules()).getByRole('button', { name: 'Delete…' }).click();
			await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
			await (await schedules()).getByText('Nothing is scheduled', { exact: false }).waitFor();
		});
	});
}
