/** What is typed and not sent, when the page goes and comes back. */
import assert from 'node:assert/strict';
import { waitFor } from '../support/wait-for.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: a draft', function () {
	this.timeout(30_000);
	const views = useViews();

	it('goes to the extension as it is typed, also the last letters before the page goes', async () => {
		const { page, extension, reload } = await views.open(withThread);
		const { id } = only(extension);
		const field = page.locator('.composer-field');
		await page.getByRole('log').getByText('The first answer').waitFor();
		await field.pressSequentially('half a thought', { delay: 20 });
		await reload();
		await waitFor('the draft to be kept', () => extension.typed.drafts[id]?.text === 'half a thought');
		await waitFor('the draft', async () => (await field.inputValue()) === 'half a thought');
		await field.fill('');
		await waitFor('nothing to be kept', () => extension.typed.drafts[id] === undefined);
	});

	it('typed before the extension answers stays, in the thread that is shown then', async () => {
		let answer = () => {};
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.typed = { drafts: { [only(fake).id]: { text: 'older', refs: [] } }, queues: {} };
				fake.beforeStart = new Promise((resolve) => {
					answer = resolve;
				});
			},
		});
		const field = page.locator('.composer-field');
		await field.fill('newer');
		answer();
		await page.getByRole('log').getByText('The first answer').waitFor();
		assert.equal(await field.inputValue(), 'newer');
		await waitFor('it to be kept', () => extension.typed.drafts[only(extension).id]?.text === 'newer');
	});
});
