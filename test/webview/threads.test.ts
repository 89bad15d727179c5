/** The list of threads, and where the user puts each. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

describe('webview: the list of threads', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	for (const width of [255, 420]) {
		it(`has pinned ones first and archived ones behind a line, at ${width} px`, async () => {
			const { page } = await views.open({
				width,
				prepare(fake) {
					for (const [hour, title] of ['Old plans', 'Fix the tax', 'Explain the cart'].entries()) {
						fake.addThread({ title, updatedAt: `2026-11-20T0${hour}:00:00.000Z` });
					}
				},
			});
			const titles = () => page.locator('.thread-row .thread-title').allInnerTexts();
			await page.getByRole('button', { name: 'Threads', exact: true }).click();
			await page.locator('.thread-row').nth(2).waitFor();
			await page.locator('input[type=search]:focus').waitFor();
			await page.getByRole('button', { name: 'Pin Old plans' }).focus();
			await page.keyboard.press('Enter');
			await page.getByRole('button', { name: 'Unpin Old plans' }).waitFor();
			assert.equal((await titles())[0], 'Old plans');
			await page.getByRole('button', { name: 'Archive Fix the tax' }).focus();
			await page.keyboard.press('Enter');
			const archived = page.getByRole('button', { name: 'Archived (1)' });
			await archived.waitFor();
			assert.deepEqual(await titles(), ['Old plans', 'Explain the cart']);
			await archived.click();
			await page.getByRole('button', { name: 'Unarchive Fix the tax' }).focus();
			assert.deepEqual(await violations(page), []);
			for (const theme of THEME_NAMES) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `threads-${width}-${theme}.png`) });
			}
			await page.getByRole('searchbox', { name: 'Search threads' }).fill('tax');
			await page.getByText('Old plans').waitFor({ state: 'detached' });
			assert.deepEqual(await titles(), ['Fix the tax']);
		});
	}

	it('has what another window has begun beside the start page, when somebody comes back to it', async () => {
		const { page, extension } = await views.open();
		await page.getByRole('heading', { name: 'Prowess' }).waitFor();
		assert.equal(await page.getByRole('region', { name: 'Recent threads' }).count(), 0);
		extension.addThread({ title: 'Fix the tax', updatedAt: '2026-11-20T09:00:00.000Z' });
		await page.evaluate(() => window.dispatchEvent(new Event('focus')));
		await page.getByRole('region', { name: 'Recent threads' }).getByText('Fix the tax').waitFor();
	});

	it('is not beside its own start page, where it has gone back to before its first message', async () => {
		const { page } = await views.open({
			prepare(fake) {
				const at = '2026-11-20T09:00:00.000Z';
				fake.addThread({ title: 'Fix the tax', createdAt: at, updatedAt: '2026-11-20T09:00:01.000Z' });
				const shown = fake.addThread({ title: 'Round prices', createdAt: at, updatedAt: '2026-11-20T09:00:02.000Z' });
				fake.threadId = shown.id;
			},
		});
		const recent = page.getByRole('region', { name: 'Recent threads' });
		await recent.getByText('Fix the tax').waitFor();
		assert.equal(await recent.getByText('Round prices').count(), 0);
	});

	it('does not show one in which nothing was said', async () => {
		const { page } = await views.open({
			prepare(fake) {
				const at = '2026-11-20T09:00:00.000Z';
				fake.addThread({ title: 'New thread', createdAt: at, updatedAt: at });
				fake.addThread({ title: 'New thread', createdAt: at, updatedAt: '2026-11-20T09:00:01.000Z' });
				fake.addThread({ title: 'New thread (fork)', createdAt: at, updatedAt: at });
			},
		});
		await page.getByRole('button', { name: 'Threads', exact: true }).click();
		await page.locator('.thread-row').nth(1).waitFor();
		const titles = await page.locator('.thread-row .thread-title').allInnerTexts();
		assert.deepEqual(titles.toSorted(), ['New thread', 'New thread (fork)']);
	});
});
