/** The permission level beside the mode and in the header: how it is read, chosen and refused. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { viewNotifications } from '../../src/protocol/pages/chat-view.ts';
import { PERMISSION_LEVELS, type PermissionLevel } from '../../src/protocol/ops/permission-level.ts';
import { text } from '../../src/protocol/text/text.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

describe('webview: the permission level', function () {
	this.timeout(30_000);
	const views = useViews();

	async function openAt(level: PermissionLevel, width = 420) {
		const view = await views.open({
			width,
			prepare(fake) {
				withThread.prepare?.(fake);
				fake.level = {
					level,
					widest: 'auto',
					why: text('{source} permits no wider level.', { source: 'policy.yaml:1:1' }),
				};
			},
		});
		const { page, extension } = view;
		const button = page.getByRole('button', { name: /^Permission level: / });
		const menu = page.getByRole('menu', { name: 'Permission level' });
		const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
		await button.waitFor();
		const chosen = () => extension.calls.filter(({ method }) => method === 'level/choose').map(({ params }) => params);
		return { ...view, button, menu, focused, chosen };
	}

	it('cannot be chosen where a rule forbids it, by key or mouse, and says why', async () => {
		const { page, button, menu, chosen } = await openAt('ask');
		await button.click();
		const full = menu.getByRole('menuitemradio', { name: 'Full' });
		assert.equal(await full.getAttribute('aria-disabled'), 'true');
		assert.match(await full.innerText(), /policy\.yaml:1:1 permits no wider level\./);
		await full.click({ force: true });
		await page.keyboard.press('End');
		await page.keyboard.press('Enter');
		assert.equal(await menu.isVisible(), true);
		assert.deepEqual(chosen(), []);
	});

	it('is left as it is by Escape, which goes back to the button, and by a click elsewhere', async () => {
		const { page, button, menu, chosen, focused } = await openAt('ask');
		await button.focus();
		await page.keyboard.press('ArrowUp');
		await menu.waitFor();
		assert.match(await focused(), /^Ask/);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Escape');
		await menu.waitFor({ state: 'detached' });
		assert.equal(await button.evaluate((element) => element === document.activeElement), true);
		await button.click();
		await page.locator('.composer-field').click();
		await menu.waitFor({ state: 'detached' });
		assert.deepEqual(chosen(), []);
	});

	it('is chosen with arrows and Enter, and shown beside the mode and in the header', async () => {
		const { page, button, menu, chosen } = await openAt('ask');
		assert.equal(await page.locator('.level-mark').count(), 0);
		await button.press('Enter');
		await menu.waitFor();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Permission level: Edit freely' }).waitFor();
		await page.locator('header').getByRole('img', { name: 'Permission level: Edit freely' }).waitFor();
		assert.deepEqual(
			chosen().map((params) => (params as { level: string }).level),
			['edit'],
		);
	});

	it('opens with the command /level', async () => {
		const { page, menu } = await openAt('manual');
		await page.locator('.composer-field').fill('/level');
		await page.locator('.composer-field').press('Enter');
		await menu.waitFor();
		assert.equal(
			await menu
				.locator('[aria-checked="true"]')
				.innerText()
				.then((words) => words.split('\n')[0]),
			'Manual',
		);
	});

	it('is not shown for a thread before it is known', async () => {
		const { page, extension, button } = await openAt('full');
		const other = extension.addThread();
		extension.peer.notify(viewNotifications.showThread, { threadId: other.id });
		await button.waitFor({ state: 'detached' });
		extension.threadId = other.id;
		extension.setLevel({ level: 'ask', widest: 'full', why: null });
		await page.getByRole('button', { name: 'Permission level: Ask first' }).waitFor();
	});

	for (const width of [255, 420, 900]) {
		it(`leaves everything of the input and the header in sight at ${width} px, at each level`, async () => {
			const { page, extension } = await openAt('ask', width);
			for (const level of PERMISSION_LEVELS) {
				extension.setLevel({ level, widest: 'full', why: null });
				const picker = page.locator(`.composer .picker.level[data-chosen="${level}"]`);
				await picker.waitFor();
				for (const control of await page.locator('.composer-footer, .title-row').getByRole('button').all()) {
					assert.ok(await isInSight(control, width), `${await control.getAttribute('aria-label')} at ${level}`);
				}
				const [footer, send] = [page.locator('.composer-footer'), page.locator('.send-button')];
				assert.ok(await footer.evaluate((element) => element.scrollWidth <= element.clientWidth), level);
				assert.ok(await isInSight(send, width));
			}
		});
	}

	it('has no violations with its menu open, at each level', async () => {
		const { page, extension, button } = await openAt('ask', 255);
		await button.click();
		for (const level of PERMISSION_LEVELS) {
			extension.setLevel({ level, widest: 'auto', why: text('{source} permits no wider level.', { source: 'x' }) });
			await page.locator(`.composer .picker.level[data-chosen="${level}"]`).waitFor();
			assert.deepEqual(await violations(page), [], level);
		}
	});
});

async function isInSight(control: Locator, width: number): Promise<boolean> {
	const box = await control.boundingBox();
	return box !== null && box.width > 8 && box.x >= 0 && box.x + box.width <= width;
}
