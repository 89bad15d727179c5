/** The list of models below the message. */
import assert from 'node:assert/strict';
import { useViews } from './support/suite.ts';

describe('webview: the list of models', function () {
	this.timeout(30_000);
	const views = useViews();

	it('names a provider that is passed over, and has it asked again without choosing another model', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.addThread();
				fake.resting = [{ provider: 'p1', seconds: 42 }];
			},
		});
		const picker = page.getByLabel('Model', { exact: true });
		await page.getByTitle('p1 failed three times in a minute. Other models are asked first.').waitFor();
		const chosen = await picker.inputValue();
		const asked = extension.called('model/askAgain');
		await picker.selectOption({ label: 'Ask p1 first again' });
		assert.deepEqual((await asked).params, { provider: 'p1' });
		await page.getByRole('option', { name: 'Ask p1 first again' }).waitFor({ state: 'detached' });
		assert.equal(await picker.inputValue(), chosen);
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/update').length, 0);
		assert.doesNotMatch((await picker.getAttribute('title')) ?? '', /p1 failed/);
	});
});
