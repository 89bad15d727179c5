/** Real Chromium: tasks in an empty thread, as the extension finds them in the project. */
import assert from 'node:assert/strict';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

describe('webview: suggested tasks', function () {
	this.timeout(60_000);
	const views = useViews();

	it('are not asked for before the workspace is trusted', async () => {
		const { page, extension } = await views.open({
			prepare: (fake) => (fake.workspace = { ...fake.workspace, trusted: false }),
		});
		await page.getByText('This workspace is not trusted').waitFor();
		assert.equal(extension.calls.filter(({ method }) => method === 'view/suggestTasks').length, 0);
		assert.equal(await page.getByRole('list', { name: 'Suggested tasks' }).count(), 0);
	});

	it('are those of the project in the sample, too, once a model is connected', async () => {
		const { page } = await views.open({
			prepare(fake) {
				fake.workspace = { ...fake.workspace, isSample: true };
				fake.tasks = [{ icon: 'beaker', text: 'Run the tests and fix what fails' }];
			},
		});
		await page.getByRole('button', { name: 'Run the tests and fix what fails' }).waitFor();
	});

	it('offer the code index, which one Enter turns on, and send no message for it', async () => {
		const { page, extension } = await views.open({
			width: 255,
			prepare(fake) {
				fake.tasks = [
					{ icon: 'beaker', text: 'Run the tests and fix what fails' },
					{ icon: 'search', text: 'Turn on the code index, which finds code by what it does', turnsOnCodeIndex: true },
				];
			},
		});
		const offer = page.getByRole('button', { name: 'Turn on the code index' });
		await offer.waitFor();
		assert.deepEqual(await violations(page), []);
		const turnedOn = extension.called('view/turnOnCodeIndex');
		await offer.press('Enter');
		await turnedOn;
		await offer.waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Run the tests and fix what fails' }).waitFor();
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/prompt').length, 0);
	});

	it('are those that hold now, and one Enter sends one', async () => {
		const { page, extension } = await views.open({
			width: 300,
			prepare: (fake) => (fake.tasks = [{ icon: 'error', text: 'Fix the errors in src/a.ts' }]),
		});
		const list = page.getByRole('list', { name: 'Suggested tasks' });
		await list.getByRole('button', { name: 'Fix the errors in src/a.ts' }).waitFor();
		assert.equal(await list.getByRole('listitem').count(), 1);
		assert.deepEqual(await violations(page), []);
		extension.tasks = [{ icon: 'git-compare', text: 'Review my uncommitted changes' }];
		await page.evaluate(() => window.dispatchEvent(new Event('focus')));
		const sent = extension.called('thread/prompt');
		await list.getByRole('button', { name: 'Review my uncommitted changes' }).press('Enter');
		assert.equal(((await sent).params as { text: string }).text, 'Review my uncommitted changes');
	});
});
