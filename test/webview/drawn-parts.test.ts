/** Checks how much of a long text or thread is drawn, and when. The time for it is measured by `npm run bench`. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ThreadItem } from '../../src/protocol/thread/items.ts';
import { AT } from './support/fake-thread.ts';
import { type InPage, openThread } from './support/measured-page.ts';
import { buildView, type Site, serveView } from './support/site.ts';
import { place } from './support/suite.ts';

const answer =
	'## Heading\n\nA paragraph with `code` and a [link](https://example.com/page).\n\n```ts\nexport const sum = 1 + 2;\n```\n\n';

describe('webview: what is drawn', function () {
	this.timeout(60_000);
	let site: Site;
	let page: Page;
	before(async () => {
		const { context } = await place();
		site = await serveView(await buildView('test/webview/support/measure-entry.ts'), '/extra.js');
		page = await context.newPage();
		await page.goto(site.pageUrl());
	});
	after(async () => {
		await page?.close();
		await site?.close();
	});

	it('of a growing answer is its last block, not all of them', async () => {
		const text = answer.repeat(Math.ceil(40_000 / answer.length));
		const ours = await page.evaluate((all) => (globalThis as unknown as InPage).bench.streamed(all, 64), text);
		const whole = await page.evaluate((all) => (globalThis as unknown as InPage).bench.drawnWhole(all), text);
		assert.ok(Math.min(...ours) > 0);
		assert.ok(Math.max(...ours) < whole / 5, `${Math.max(...ours)} parts in an update, and ${whole} in all`);
	});

	it('of a huge text comes in pieces, between which the page answers, whatever the text is', async () => {
		const units = ['- a\n', '*_', 'a paragraph\n\n', '| 1 | 2 |\n', '[a](', 'word ', '`` `'];
		for (const unit of units) {
			const text = unit.repeat(Math.ceil(200_000 / unit.length));
			const { pauses } = await page.evaluate((all) => (globalThis as unknown as InPage).bench.drawLong(all), text);
			assert.ok(pauses >= 10, `${unit}: ${pauses} pauses`);
		}
	});

	it('of a long thread is its newest part', async () => {
		const turnId = newId('trn');
		const items = Array.from({ length: 1_000 }, (): ThreadItem => ({
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'text',
			text: answer,
			done: true,
		}));
		const opened = (newest: number, isPlain: boolean) => openThread(page, items, newest, isPlain);
		const [ours, all] = [await opened(60, false), await opened(items.length, true)];
		assert.ok(ours.elements > 60);
		assert.ok(ours.elements < all.elements / 10, `${ours.elements} elements, and ${all.elements} of the whole thread`);
	});
});
