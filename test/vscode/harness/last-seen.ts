/** What is on the screens when a spec fails: its text in the log, which is all that some machines keep, and a picture. */

import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { kit } from './kit.ts';

/** What asks and tells, and the rows of our views; what our pages say comes with it. */
const telling = [
	'.monaco-dialog-box',
	'.quick-input-widget',
	'.notification-toast',
	'.tab.active',
	'.pane-body .monaco-list-row',
].join(', ');
const limitMs = 10_000;
const frameLimitMs = 1_000;
const longest = 400;

const pages = new Set<Page>();

/** From now on, until it is closed. */
export function watchScreen(page: Page): void {
	pages.add(page);
	page.on('close', () => pages.delete(page));
}

afterEach(async function () {
	const { currentTest } = this;
	if (currentTest?.state !== 'failed') return;
	this.timeout(limitMs);
	let at = 0;
	for (const page of pages) {
		const shown = await page.locator(telling).filter({ visible: true }).allInnerTexts();
		const lines = shown.map((text) => `      ${inOneLine(text)}`);
		const ours = await Promise.all(page.frames().slice(1).map(textOf));
		const views = ours.filter((text) => text !== '').map((text) => `      in a view: ${text}`);
		console.log(`    on the screen when it failed:\n${[...lines, ...views].join('\n')}`);
		const name = currentTest.fullTitle().replaceAll(/[^a-z0-9]+/gi, '-');
		await page.screenshot({ path: join(kit.artifacts, `failed-${name.slice(0, 100)}-${++at}.png`) });
	}
});

/** Empty for what draws nothing, and for what does not answer. */
async function textOf(frame: Frame): Promise<string> {
	const text = await frame
		.locator('#root')
		.innerText({ timeout: frameLimitMs })
		.catch(() => '');
	return inOneLine(text).slice(0, longest);
}

function inOneLine(text: string): string {
	return text.replaceAll(/\s+/g, ' ').trim();
}
