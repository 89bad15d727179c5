/** axe over every face of the view, in each kind of theme. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/ids.ts';
import { AT } from './support/fake-thread.ts';
import { showcase } from './support/showcase.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { violations } from './support/violations.ts';

describe('webview: accessibility', function () {
	this.timeout(60_000);
	const views = useViews();

	for (const theme of THEME_NAMES) {
		it(`has no violations in the ${theme} theme`, async () => {
			const waiting = await views.open({
				theme,
				prepare(fake) {
					showcase(fake);
					fake.desk = {
						...fake.desk,
						questions: [
							{
								id: newId('ask'),
								opId: newId('op'),
								threadId: null,
								question: 'Which?',
								options: ['a'],
								askedAt: AT,
								expiresAt: AT,
							},
						],
					};
					fake.server = { kind: 'degraded', reason: 'it ended' };
					fake.workspace = { trusted: false, hasFolder: true, isSample: false };
				},
			});
			await waiting.page.locator('.dock[data-settled=true]').waitFor();
			await waiting.page.locator('.hljs-keyword').first().waitFor({ state: 'attached' });
			assert.deepEqual(await violations(waiting.page), []);

			const done = await views.open({ theme, height: 1600, prepare: (fake) => void showcase(fake, false) });
			await done.page.locator('.strip.changes').waitFor();
			for (const line of await done.page.locator('.disclosure').all()) {
				await line.click();
			}
			assert.deepEqual(await violations(done.page), []);
			await done.page.getByRole('button', { name: 'Threads', exact: true }).click();
			await done.page.locator('.thread-row').first().waitFor();
			await done.page.getByRole('button', { name: /^Delete Find/ }).focus();
			assert.deepEqual(await violations(done.page), []);

			const empty = await views.open({
				theme,
				width: 250,
				prepare(fake) {
					fake.addThread();
					fake.models = fake.models.slice(0, 1);
				},
			});
			await empty.page.locator('.empty-state').waitFor();
			await empty.page.locator('.composer-field').focus();
			await empty.page.keyboard.type('/');
			await empty.page.getByRole('option').first().waitFor();
			assert.deepEqual(await violations(empty.page), []);
		});
	}
});
