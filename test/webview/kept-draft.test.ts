/** Checks that text which was typed and not sent survives when the page goes and comes back. */
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

	/** A message that the agent has begun to work on, while the page has not heard that it was taken. */
	async function sentSlowly(options?: Parameters<typeof views.open>[0]) {
		const { page, extension } = await views.open(options);
		const { promise, resolve: taken } = Promise.withResolvers<void>();
		extension.untilTaken = promise;
		const field = page.locator('.composer-field');
		await field.fill('What is this?');
		await field.press('Enter');
		await page.getByRole('log').getByText('What is this?').waitFor();
		return { page, extension, field, taken };
	}

	it('that is sent in a new thread is not in the next one, though it takes long to hear that it was taken', async () => {
		const { page, extension, field, taken } = await sentSlowly();
		await page.getByRole('button', { name: 'New thread', exact: true }).last().click();
		await page.locator('.empty-state').waitFor();
		assert.equal(await field.inputValue(), '');
		await field.fill('another one');
		taken();
		await waitFor('the sent one to be gone', () => Object.keys(extension.typed.drafts).join() === 'new');
		assert.equal(await field.inputValue(), 'another one');
	});

	it('that is sent leaves what is typed behind it while it is on its way', async () => {
		const { field, taken } = await sentSlowly(withThread);
		await field.press('End');
		await field.pressSequentially('And that?');
		taken();
		await waitFor('what follows', async () => (await field.inputValue()) === 'And that?');
	});
});
