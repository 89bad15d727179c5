import assert from 'node:assert/strict';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { type CapabilityViews, capabilityViewsIn } from '../../harness/capability-views.ts';
import { pageFrameIn } from '../../harness/workbench.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';

export function memory(take: TakeWindow): void {
	describe('Memory in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let views: CapabilityViews;
		before(async () => {
			scripted = await take();
			views = capabilityViewsIn(scripted.workbench);
		});
		after(() => scripted?.close());
		/** Finds a row of the tab *Memory*. */
		const row = (text: string) => pageFrameIn(scripted.workbench.page).locator('.page-row').filter({ hasText: text });
		const press = (text: string, name: string) => row(text).getByRole('button', { name }).click();

		it('holds what the agent noted in an inbox, which /memory shows, until the user accepts it', async () => {
			const { workbench, chat } = scripted;
			await scripted.begin('We use pnpm here; note that for later', [
				{ toolCalls: [{ name: 'memory_remember', input: { text: 'Use pnpm to install packages' } }] },
				{ text: 'Noted.' },
			]);
			await chat.rested();
			await chat.input.fill('/memory');
			await chat.input.press('Enter');
			const noted = row('Use pnpm to install packages');
			await noted.filter({ hasText: 'for this project · by the agent' }).waitFor();
			await workbench.screenshot('memory-1-inbox');
			await press('Use pnpm to install packages', 'Accept');
			await noted.getByRole('button', { name: 'Forget…' }).waitFor();
		});

		it('is told to a later thread, which shows it', async () => {
			const { chat, workbench } = scripted;
			await scripted.begin('Install the lodash package', [{ text: 'With pnpm.' }]);
			await chat.rested();
			assert.match(toldIn(scripted.model.requests.at(-1)), /<memories [^]*Use pnpm to install packages/);
			await chat.view.getByText('Recalled 1 memory').click();
			await chat.view.getByText('Use pnpm to install packages').waitFor();
			await workbench.screenshot('memory-2-recalled');
		});

		it('is kept at once when the user says so in a message, which the same view shows', async () => {
			await scripted.begin('Remember that the staging server is slow', []);
			await scripted.chat.answers.last().getByText('Remembered for later threads of this project.').waitFor();
			await views.automation('Memory');
			await row('the staging server is slow').filter({ hasText: 'by you' }).waitFor();
			assert.equal(scripted.requests().length, 0);
		});

		it('goes to the model like all else, and the meter counts that against the quota of the user', async () => {
			await scripted.begin('Say one', [{ text: 'One.', usage: { input: 8_500, output: 500 } }]);
			await scripted.chat.rested();
			await scripted.begin('Say two', [{ text: 'Two.' }]);
			await scripted.chat.rested();
			const shown = await scripted.chat.view.locator('.context-meter').getAttribute('title');
			assert.match(shown ?? '', /Tokens in the last hour: 9,\d\d\d of 100,000/);
		});

		it('takes what the user says, and forgets it when they confirm', async () => {
			const { workbench } = scripted;
			await (await views.automation('Memory')).getByRole('button', { name: 'Remember…' }).click();
			await views.answer('Answer in German');
			await views.choose('Preference in all projects');
			await row('Answer in German').filter({ hasText: 'preference · by you' }).waitFor();
			await workbench.screenshot('memory-3-own');
			await press('Answer in German', 'Forget…');
			await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Forget' }).click();
			await row('Answer in German').waitFor({ state: 'detached' });
		});
	});
}
