/** Checks the effort of the model's thinking, chosen under the list of models. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: the effort of thinking', function () {
	this.timeout(30_000);
	const views = useViews();

	const models = (page: Page) => page.getByRole('button', { name: /^Model: / });
	const effort = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

	async function choose(page: Page, model: string): Promise<void> {
		await models(page).click();
		await page.getByRole('option', { name: model }).click();
		await page.getByRole('button', { name: new RegExp(`^Model: ${model}`) }).waitFor();
	}

	it('is chosen for the open thread; the model stays, and the list shows what is chosen', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		await choose(page, 'Sonnet');
		await models(page).click();
		assert.ok(await effort(page, 'As set for the model').isChecked());
		const set = extension.called('thread/set');
		await effort(page, 'High').click();
		assert.deepEqual((await set).params, { threadId: only(extension).id, effort: 'high' });
		await page.getByRole('button', { name: 'Model: Sonnet. Thinking: High' }).waitFor();
		assert.ok(await effort(page, 'High').isChecked());
		const unset = extension.called('thread/set');
		await effort(page, 'As set for the model').click();
		assert.deepEqual((await unset).params, { threadId: only(extension).id, effort: null });
	});

	it('is chosen by keys alone', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		await choose(page, 'Sonnet');
		await page.keyboard.press('Enter');
		await page.getByRole('combobox', { name: 'Search models' }).waitFor();
		const set = extension.called('thread/set');
		await page.keyboard.press('Tab');
		await page.keyboard.press('ArrowDown');
		assert.deepEqual((await set).params, { threadId: only(extension).id, effort: 'off' });
		await page.keyboard.press('Escape');
		assert.ok(await models(page).evaluate((button) => document.activeElement === button));
	});

	it('goes with the first message of a new thread', async () => {
		const { page, extension } = await views.open();
		await choose(page, 'Sonnet');
		await models(page).click();
		await effort(page, 'Low').click();
		await page.keyboard.press('Escape');
		const created = extension.called('thread/create');
		await page.locator('.composer-field').fill('hello');
		await page.locator('.composer-field').press('Enter');
		assert.equal(((await created).params as { effort: string }).effort, 'low');
	});

	it('is not offered of a model that is known not to think, nor of the tour', async () => {
		const { page } = await views.open({
			prepare(fake) {
				fake.models = [
					...fake.models,
					{ id: 'openai/gpt-4o', name: 'gpt-4o', provider: 'openai', source: 'provider', thinks: false },
				];
			},
		});
		for (const model of ['Tour', 'gpt-4o']) {
			await choose(page, model);
			await models(page).click();
			await page.getByRole('option', { name: model }).waitFor();
			assert.equal(await page.getByRole('radio').count(), 0, model);
			await page.keyboard.press('Escape');
		}
	});
});
