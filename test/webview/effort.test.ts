/** How hard the model thinks, chosen in the menu of models. */
import assert from 'node:assert/strict';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: the effort of thinking', function () {
	this.timeout(30_000);
	const views = useViews();

	it('is chosen for the open thread; the model stays, and the menu shows what is chosen', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const menu = page.getByRole('combobox', { name: 'Model' });
		await menu.selectOption('anthropic/sonnet');
		await page.locator('option[value$="effort high"]').waitFor({ state: 'attached' });
		const set = extension.called('thread/set');
		await menu.selectOption({ label: 'High' });
		assert.deepEqual((await set).params, { threadId: only(extension).id, effort: 'high' });
		await page.waitForFunction(() => document.querySelector('option[value$="effort high"]')?.textContent === '✓ High');
		assert.equal(await menu.inputValue(), 'anthropic/sonnet');
		assert.match((await menu.getAttribute('title')) ?? '', /Thinking: High/);
		const unset = extension.called('thread/set');
		await menu.selectOption({ label: 'As set for the model' });
		assert.deepEqual((await unset).params, { threadId: only(extension).id, effort: null });
	});

	it('goes with the first message of a new thread', async () => {
		const { page, extension } = await views.open();
		const menu = page.getByRole('combobox', { name: 'Model' });
		await menu.selectOption('anthropic/sonnet');
		await menu.selectOption({ label: 'Low' });
		const created = extension.called('thread/create');
		await page.locator('.composer-field').fill('hello');
		await page.locator('.composer-field').press('Enter');
		assert.equal(((await created).params as { effort: string }).effort, 'low');
	});
});
