/** The chat in a real browser, as `prowess web` serves it: no editor is there. Pictures: artifacts/web-*.png. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WebScene } from '../support/web-scene.ts';
import { place } from './support/suite.ts';
import { axeFindings } from './support/violations.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };

describe('The chat in a browser', function () {
	this.timeout(60_000);
	let browser: Browser;
	let pages: ReadonlyMap<string, Uint8Array>;
	let scene: WebScene;
	let context: BrowserContext;
	before(async () => {
		mkdirSync(artifacts, { recursive: true });
		({ browser, files: pages } = await place());
	});
	afterEach(async () => {
		await context.close();
		await scene.close();
	});

	async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
		context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options });
		return await context.newPage();
	}

	it('is paired by its code, prompts, answers the question and reads the answer', async () => {
		scene = await WebScene.open({ pages, script: [{ toolCalls: [write] }, { text: 'It is written.' }] });
		const page = await open();
		const offences: string[] = [];
		page.on('console', (message) => message.type() === 'error' && offences.push(message.text()));
		page.on('pageerror', (error) => offences.push(error.message));
		await page.goto(`${scene.origin}/#${await scene.code()}`);
		await page.getByLabel('Name of this device').fill('phone');
		await page.screenshot({ path: join(artifacts, 'web-pairing-360.png') });
		assert.deepEqual(await axeFindings(page), []);
		await page.getByRole('button', { name: 'Pair' }).click();
		await page.locator('.composer-field').fill('write it');
		await page.keyboard.press('Enter');
		await page.locator('.dock.approval[data-settled=true]').waitFor();
		for (const [width, height] of [
			[360, 740],
			[800, 900],
			[1_300, 900],
		] as const) {
			await page.setViewportSize({ width, height });
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.emulateMedia({ colorScheme });
				await page.screenshot({ path: join(artifacts, `web-question-${width}-${colorScheme}.png`) });
				const findings = await axeFindings(page, colorScheme === 'dark' && 'colours');
				assert.deepEqual(findings, [], `${width} ${colorScheme}`);
				const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
				assert.equal(overflow, false, `${width} ${colorScheme}`);
			}
		}
		await page.getByRole('button', { name: 'Allow once' }).click();
		await page.getByText('It is written.', { exact: true }).waitFor();
		await page.screenshot({ path: join(artifacts, 'web-done-1300-dark.png') });
		assert.equal(readFileSync(scene.workspaceFile('new.txt'), 'utf8'), 'hello\n');
		assert.deepEqual(offences, []);
	});

	it('shows nothing more once its device is revoked, and asks for a code', async () => {
		scene = await WebScene.open({ pages });
		const page = await open({ locale: 'de-DE' });
		await page.goto(`${scene.origin}/#${await scene.code()}`);
		await page.getByLabel('Name dieses Geräts').fill('Handy');
		await page.getByRole('button', { name: 'Koppeln' }).click();
		await page.locator('.composer-field').waitFor();
		await scene.devices.revoke(scene.devices.list()[0]?.id ?? '', new AbortController().signal);
		await page.getByLabel('Code zum Koppeln').waitFor();
		assert.equal(await page.locator('.composer-field').count(), 0);
		assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
	});
});
