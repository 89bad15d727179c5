/** Pages that do not answer, each of which takes as long as its limit says. */
import assert from 'node:assert/strict';
import { type PageBrowser, pageBrowser } from './support/page-browser.ts';

describe('A page of a browser', () => {
	let browser: PageBrowser;

	afterEach(() => browser.close());

	it('is not waited for where it does not answer, and the next page opens', async function () {
		this.timeout(60_000);
		browser = await pageBrowser({
			'hostile.test/stuck': '<script>setTimeout(() => { for (;;); }, 50)</script>',
			'hostile.test/fine': '<h1>Fine</h1>',
		});
		await browser.open('hostile.test/stuck').catch(() => 'it is stuck already');
		await assert.rejects(browser.look(), { code: 'INVALID_STATE' });
		assert.match(await browser.open('hostile.test/fine'), /Fine/);
	});
});
