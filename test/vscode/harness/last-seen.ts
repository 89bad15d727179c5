/**
 * Records the screens when a spec fails: their text in the log, which is all that some machines keep, and a picture. At
 * the second try of a spec a picture is taken in any case.
 */

import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { currentTry, pictureName } from '../../../scripts/test/pictures.ts';
import { kit } from './kit.ts';

/**
 * Selectors of the elements that ask and tell, and of the rows of our views; the text of our pages is added to theirs.
 */
const telling = [
	'.monaco-dialog-box',
	'.quick-input-widget',
	'.notification-toast',
	'.tab.active',
	'.pane-body .monaco-list-row',
].join(', ');
const limitMs = 20_000;
const shotLimitMs = 8_000;
const frameLimitMs = 1_000;
const longest = 400;

const pages = new Set<Page>();

/** From now on, until it is closed. */
export function watchScreen(page: Page): void {
	pages.add(page);
	page.on('close', () => pages.delete(page));
}

/** Required by the run: a process that runs several files loads this module once, and hooks of its own would be the first's. */
export const mochaHooks: Mocha.RootHookObject = { afterEach: showWhatFailed };

async function showWhatFailed(this: Mocha.Context): Promise<void> {
	const { currentTest } = this;
	const hasFailed = currentTest?.state === 'failed';
	// At the second try there is something to compare with, however it goes.
	if (currentTest === undefined || (!hasFailed && currentTry() === 'first')) return;
	this.timeout(limitMs);
	try {
		await show(currentTest.fullTitle(), hasFailed);
	} catch (error) {
		// A page that does not answer is no second failure, which would end the whole run.
		console.log(`    the screen could not be shown: ${String(error)}`);
	}
}

async function show(title: string, hasFailed: boolean): Promise<void> {
	let at = 0;
	for (const page of pages) {
		if (hasFailed) console.log(`    on the screen when it failed:\n${await textOn(page)}`);
		at += 1;
		await page.screenshot({ path: join(kit.artifacts, pictureName(currentTry(), title, at)), timeout: shotLimitMs });
	}
}

async function textOn(page: Page): Promise<string> {
	const shown = await page.locator(telling).filter({ visible: true }).allInnerTexts();
	const lines = shown.map((text) => `      ${inOneLine(text)}`);
	const ours = await Promise.all(page.frames().slice(1).map(textOf));
	const views = ours.filter((text) => text !== '').map((text) => `      in a view: ${text}`);
	return [...lines, ...views].join('\n');
}

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
