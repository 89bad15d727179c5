/**
 * What `npm run bench` measures in a page, on a small scale: that it draws at all, and the ratios that must never be lost. Their
 * bounds are far from what is measured, so that only another order of growth breaks them.
 */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { newId } from '../../src/protocol/ids.ts';
import type { Item } from '../../src/protocol/thread/items.ts';
import { AT } from './support/fake-thread.ts';
import type { Bench } from './support/measure-entry.ts';
import { buildView, type Site, serveView } from './support/site.ts';
import { launchBrowser } from './support/view-page.ts';

type InPage = { readonly bench: Bench };

const answer =
	'## Heading\n\nA paragraph with `code` and a [link](https://example.com/page).\n\n```ts\nexport const sum = 1 + 2;\n```\n\n';

describe('webview: speed', function () {
	this.timeout(60_000);
	let site: Site;
	let browser: Browser;
	let page: Page;
	before(async () => {
		site = await serveView(await buildView('test/webview/support/measure-entry.ts'), '/extra.js');
		browser = await launchBrowser();
		page = await browser.newPage({ viewport: { width: 420, height: 800 } });
		await page.goto(site.pageUrl());
	});
	after(async () => {
		await browser?.close();
		await site?.close();
	});

	it('of a growing answer is that of its last block, not of all of them', async () => {
		const text = answer.repeat(Math.ceil(40_000 / answer.length));
		const mean = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length;
		const naive = await page.evaluate((all) => (globalThis as unknown as InPage).bench.streamNaively(all, 64, 8), text);
		const ours = await page.evaluate((all) => (globalThis as unknown as InPage).bench.stream(all, 64), text);
		assert.ok(mean(ours) < mean(naive) / 5, `${mean(ours)} ms, and ${mean(naive)} ms to draw all of it`);
	});

	it('of a huge text is spread: the page answers between its pieces, whatever the text is', async () => {
		const units = ['- a\n', '*_', 'a paragraph\n\n', '| 1 | 2 |\n', '[a](', 'word ', '`` `'];
		for (const unit of units) {
			const text = unit.repeat(Math.ceil(200_000 / unit.length));
			const { pauses } = await page.evaluate((all) => (globalThis as unknown as InPage).bench.drawLong(all), text);
			assert.ok(pauses >= 10, `${unit}: ${pauses} pauses`);
		}
	});

	it('of a long thread is that of what is on the screen', async () => {
		const turnId = newId('trn');
		const items = Array.from({ length: 1_000 }, (): Item => ({
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'text',
			text: answer,
			done: true,
		}));
		const opened = (newest: number, isPlain: boolean) =>
			page.evaluate(([all, count, plain]) => (globalThis as unknown as InPage).bench.open(all, count, plain), [
				items,
				newest,
				isPlain,
			] as const);
		await opened(60, false);
		const [ours, all] = [await opened(60, false), await opened(items.length, true)];
		assert.ok(ours.open < all.open / 3, `${ours.open} ms, and ${all.open} ms with everything in the page`);
	});
});
