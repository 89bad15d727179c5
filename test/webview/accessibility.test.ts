/** axe over every face of the chat, in each kind of theme. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { dangerous } from './support/dangerous-approval.ts';
import { approval, HERE } from './support/fake-extension.ts';
import { AT } from './support/fake-thread.ts';
import { showcase } from './support/showcase.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

describe('webview: accessibility', function () {
	this.timeout(60_000);
	const views = useViews();

	it('has no violations while questions wait and the server is gone', async () => {
		const { page } = await views.open({
			prepare(fake) {
				showcase(fake);
				const question = { id: newId('ask'), opId: newId('op'), threadId: HERE, question: 'Which?', options: ['a'] };
				fake.desk = { ...fake.desk, questions: [{ ...question, askedAt: AT, expiresAt: AT }] };
				fake.server = { kind: 'degraded', reason: 'it ended' };
				fake.workspace = { trusted: false, folders: ['/srv/sample'], isSample: false };
			},
		});
		await page.locator('.dock.approval[data-settled=true]').waitFor();
		await page.locator('.hljs-keyword').first().waitFor({ state: 'attached' });
		assert.deepEqual(await violations(page), []);
	});

	it('has no violations while a dangerous command waits', async () => {
		const { page } = await views.open({
			prepare(fake) {
				showcase(fake);
				fake.desk = { approvals: [approval(dangerous)], questions: [] };
			},
		});
		await page.locator('.dock.dangerous[data-settled=true]').waitFor();
		assert.deepEqual(await violations(page), []);
	});

	it('has no violations when all is done and unfolded, with the list of threads too', async () => {
		const { page } = await views.open({ height: 1600, prepare: (fake) => void showcase(fake, false) });
		await page.locator('.strip.changes').waitFor();
		for (const line of await page.locator('.disclosure').all()) {
			await line.click();
		}
		assert.deepEqual(await violations(page), []);
		await page.getByRole('button', { name: 'Threads', exact: true }).click();
		await page.locator('.thread-row').first().waitFor();
		await page.getByRole('button', { name: /^Delete Find/ }).focus();
		assert.deepEqual(await violations(page), []);
	});

	it('has no violations when it is narrow and empty, with the list of commands', async () => {
		const { page } = await views.open({
			width: 250,
			prepare(fake) {
				fake.addThread();
				fake.models = fake.models.slice(0, 1);
			},
		});
		await page.locator('.empty-state').waitFor();
		await page.locator('.composer-field').focus();
		await page.keyboard.type('/');
		await page.getByRole('option').first().waitFor();
		assert.deepEqual(await violations(page), []);
	});
});
