import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { ScriptEntry } from '../../../support/model-server.ts';
import { processTree, waitUntilGone } from '../../../support/processes.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { type CapabilityViews, capabilityViewsIn } from '../../harness/capability-views.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

/** Longest wait for an extension host that is started again, with all that it starts. */
const AGAIN_MS = 60_000;
const STALLS: ScriptEntry = { then: 'stall' };
const DONE: ScriptEntry = { toolCalls: [{ name: 'goal_verdict', input: { verdict: 'done', reason: '' } }] };
const writes = (n: number): ScriptEntry => ({
	toolCalls: [{ name: 'fs_write', input: { path: `step${n}.txt`, content: `${n}` } }],
});

export function goalStories(take: TakeWindow): void {
	describe('Goals in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let views: CapabilityViews;
		before(async () => {
			scripted = await take();
			views = capabilityViewsIn(scripted.workbench);
		});
		after(() => scripted?.close());

		const goals = (): Promise<Locator> => views.automation('Goals');
		const step = (page: Locator, n: number) => page.locator('.goal-step').nth(n - 1);
		const press = async (name: string) => (await goals()).getByRole('button', { name, exact: true }).click();
		const written = (n: number) => readFileSync(join(scripted.workbench.workspace, `step${n}.txt`), 'utf8');

		it('are added step by step, and a plan that cannot be carried out is refused with the reason', async () => {
			const { workbench } = scripted;
			for (const last of ['Write step3.txt (after 7)', 'Write step3.txt (after 1)']) {
				await press('Add Goal…');
				for (const words of ['Write three files', 'Write step1.txt', 'Write step2.txt', last, '']) {
					await views.answer(words);
				}
				if (last.endsWith('7)')) {
					await workbench.page.locator('.notification-toast').filter({ hasText: 'step 7' }).waitFor();
				}
			}
			const page = await goals();
			await page.getByText('Not started · 0 of 3 steps done').waitFor();
			assert.equal(await page.locator('.goal').count(), 1);
			assert.equal(await page.locator('.goal-edge').count(), 2);
			await step(page, 3).getByText('after 1', { exact: false }).waitFor();
			await workbench.screenshot('goals-1-added');
		});

		it('start, pause after the step that runs, and begin no further one meanwhile', async () => {
			const { workbench } = scripted;
			scripted.follow([writes(1), DONE, { chunks: ['One.', ' And that was it.'], delayMs: 2_000 }]);
			await press('Start');
			await (await goals()).locator('.goal-step.running').waitFor();
			await press('Pause');
			const page = await goals();
			await page.getByText('Paused · 1 of 3 steps done').waitFor();
			assert.equal(await page.locator('.goal-step.running').count(), 0);
			assert.equal(scripted.requests().length, 3);
			await workbench.screenshot('goals-2-paused');
		});

		it('go on by themselves after the death of the window, and repeat nothing', async () => {
			const { workbench } = scripted;
			scripted.follow([writes(2), STALLS, DONE, { text: 'Two.' }, { error: 400, message: 'no such thing' }]);
			await press('Resume');
			await waitFor('the second step to have written', () => scripted.requests().length === 2);
			const [host] = processTree(workbench.serverPid)
				.filter(({ commandLine }) => commandLine.includes('--type=extensionHost'))
				.map(({ pid }) => pid);
			assert.ok(host);
			await workbench.runCommand('File: New Untitled Text File');
			process.kill(host, 'SIGKILL');
			await waitUntilGone([host]);
			await waitFor('the goal to go on', () => scripted.requests().length === 5, AGAIN_MS);
			const page = await goals();
			await page.getByText('Not done · 2 of 3 steps done').waitFor();
			await step(page, 2).getByText('attempt 2', { exact: false }).waitFor();
			assert.match(scripted.requests()[2]?.text ?? '', /An earlier attempt at this step was cut short/);
			assert.deepEqual([written(1), written(2)], ['1', '2']);
			assert.equal(await workbench.page.locator('.tab').filter({ hasText: 'Automation' }).count(), 1);
			await workbench.screenshot('goals-3-after-death');
		});

		it('show a step that is not done with the reason, and have it worked on again after a reload of the window', async () => {
			const { workbench } = scripted;
			await workbench.reload();
			const failed = await goals();
			await failed.getByText('Not done · 2 of 3 steps done').waitFor({ timeout: AGAIN_MS });
			await step(failed, 3).getByText('The turn of this step failed.', { exact: false }).waitFor();
			await workbench.screenshot('goals-4-failed');
			scripted.follow([writes(3), DONE, { text: 'Three.' }]);
			await step(failed, 3).getByRole('button', { name: 'Mark as Done' }).waitFor();
			await step(failed, 3).getByRole('button', { name: 'Run Again' }).click();
			const page = await goals();
			await page.getByText('Done · 3 of 3 steps done').waitFor();
			assert.equal(written(3), '3');
			await workbench.screenshot('goals-5-done');
		});

		it('are offered beside the answer that runs, and planned from that message by a click', async () => {
			const { workbench, chat } = scripted;
			const text = 'First add the column, then fill it, and finally write the tests.';
			await scripted.begin(text, [{ text: 'I begin with the column.', ...STALLS }, { text: 'As you like.' }]);
			await chat.answers.last().getByText('I begin with the column.').waitFor();
			const offer = chat.view.getByRole('button', { name: 'Work on this as a goal' });
			await offer.waitFor();
			await workbench.screenshot('goals-6-offered');
			await offer.click();
			await chat.view.getByRole('group', { name: 'Approval' }).getByText('Write the tests').first().waitFor();
			assert.equal(scripted.requests().length, 1, 'no model is asked for the plan');
			await workbench.screenshot('goals-7-planned');
			await chat.view.getByRole('group', { name: 'Approval' }).getByRole('button', { name: 'Deny' }).first().click();
			await chat.answers.last().getByText('As you like.').waitFor();
			await offer.waitFor({ state: 'detached' });
		});

		it('lead to the thread in which their steps worked, and are deleted after a question', async () => {
			const { workbench, chat } = scripted;
			await press('Open Thread');
			await chat.answers.last().getByText('Three.').waitFor();
			await press('Delete…');
			await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
			await (await goals()).getByText('There are no goals.', { exact: false }).waitFor();
		});
	});
}
