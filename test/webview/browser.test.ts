/** The chat in a real browser, as `prowess web` serves it: no editor is there. Pictures: artifacts/web-*.png. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WebScene } from '../support/web-scene.ts';
import { place } from './support/suite.ts';
import { axeFindings } from './support/violations.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));
/** A phone, half a screen and a whole one. */
const SIZES = [
	[360, 740],
	[800, 900],
	[1_300, 900],
] as const;
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

	/** In each width and colour scheme, axe finds nothing and nothing reaches beyond the side. */
	async function fitsEverywhere(page: Page, shown: string): Promise<void> {
		for (const [width, height] of SIZES) {
			await page.setViewportSize({ width, height });
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.emulateMedia({ colorScheme });
				const where = `${shown}-${width}-${colorScheme}`;
				await page.screenshot({ path: join(artifacts, `web-${where}.png`) });
				assert.deepEqual(await axeFindings(page, colorScheme === 'dark' && 'colours'), [], where);
				const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
				assert.equal(overflow, false, where);
			}
		}
	}

	it('is paired by its code, prompts, answers the question and reads the answer', async () => {
		scene = await WebScene.open({ pages, script: [{ toolCalls: [write] }, { text: 'It is written.' }] });
		const page = await open();
		const offences: string[] = [];
		page.on('console', (message) => message.type() === 'error' && offences.push(message.text()));
		page.on('pageerror', (error) => offences.push(error.message));
		await page.goto(`${scene.origin}/#${await scene.code()}`);
		await page.getByLabel('Name of this device').fill('phone');
		await fitsEverywhere(page, 'pairing');
		await page.getByRole('button', { name: 'Pair' }).click();
		await page.locator('.composer-field').fill('write it');
		await page.keyboard.press('Enter');
		await page.locator('.dock.approval[data-settled=true]').waitFor();
		await fitsEverywhere(page, 'question');
		await page.getByRole('button', { name: 'Allow once' }).click();
		await page.getByText('It is written.', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Permission level: Ask first' }).waitFor();
		await fitsEverywhere(page, 'done');
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

	it('is forgotten by its own button, once that is confirmed, and then needs a new code', async () => {
		scene = await WebScene.open({ pages });
		const page = await open({ viewport: { width: 390, height: 844 } });
		await page.goto(`${scene.origin}/#${await scene.code()}`);
		await page.getByLabel('Name of this device').fill('phone');
		await page.getByRole('button', { name: 'Pair' }).click();
		await page.locator('.composer-field').waitFor();
		const forget = page.getByRole('button', { name: 'Forget This Browser' });
		page.once('dialog', (dialog) => void dialog.dismiss());
		await forget.click();
		assert.equal(scene.devices.list().length, 1);
		page.once('dialog', (dialog) => void dialog.accept());
		await forget.click();
		await page.getByLabel('Pairing code').waitFor();
		assert.deepEqual(scene.devices.list(), []);
		assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
		assert.deepEqual(await context.cookies(), []);
	});

	it('names a file after @ and attaches what the device has, and says what it cannot attach', async () => {
		scene = await WebScene.open({ pages, script: [{ text: 'Seen.' }] });
		mkdirSync(scene.workspaceFile('src'));
		writeFileSync(scene.workspaceFile('src/cart.ts'), 'export const cart = 1;\n');
		const page = await open();
		const said: string[] = [];
		page.on('dialog', (dialog) => {
			said.push(dialog.message());
			void dialog.accept();
		});
		await page.goto(`${scene.origin}/#${await scene.code()}`);
		await page.getByLabel('Name of this device').fill('phone');
		await page.getByRole('button', { name: 'Pair' }).click();
		await page.locator('.composer-field').pressSequentially('Look at @cart');
		await page.getByRole('option', { name: 'cart.ts' }).waitFor();
		await fitsEverywhere(page, 'mention');
		await page.setViewportSize({ width: 360, height: 740 });
		await page.keyboard.press('Enter');
		const picking = page.waitForEvent('filechooser');
		await page.getByRole('button', { name: 'Attach files or pictures' }).click();
		// A drawing that no model reads, as large as a photo: it is drawn anew.
		const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="3000"/>');
		const bitmap = await page.evaluate(async () => {
			const canvas = Object.assign(document.createElement('canvas'), { width: 3_000, height: 1_500 });
			canvas.getContext('2d')?.fillRect(0, 0, 10, 10);
			const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
			return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer())];
		});
		// Fails as the file of a cloud does that the device cannot load.
		await page.evaluate(() => {
			const { arrayBuffer } = Blob.prototype;
			Blob.prototype.arrayBuffer = function (this: Blob) {
				const isGone = this instanceof File && this.name === 'gone.png';
				return isGone ? Promise.reject(new DOMException('gone', 'NotReadableError')) : arrayBuffer.call(this);
			};
		});
		await (
			await picking
		).setFiles([
			{ name: 'gone.png', mimeType: 'image/png', buffer: Buffer.from('a picture') },
			{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo\n') },
			{ name: 'photo.bmp', mimeType: 'image/bmp', buffer: Buffer.from(bitmap) },
			{ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: svg },
			{ name: 'broken.png', mimeType: 'image/heic', buffer: Buffer.from('no picture') },
			{ name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255, 0, 254]) },
			{ name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.alloc(200_001, 'x') },
		]);
		await page.getByText('photo.bmp').waitFor();
		assert.match(said[0] ?? '', /Not attached: gone\.png, broken\.png, program\.bin, long\.txt$/);
		await page.screenshot({ path: join(artifacts, 'web-attached-360.png') });
		assert.deepEqual(await axeFindings(page, 'colours'), []);
		await page.locator('.composer-field').press('Enter');
		await page.getByText('Seen.', { exact: true }).waitFor();
		const sent = JSON.stringify(scene.turns.model.requests[0]?.body['messages']);
		assert.match(sent, /<file path=\\"src\/cart\.ts\\">.*export const cart/);
		assert.match(sent, /<pasted name=\\"notes\.txt\\">\\none\\ntwo/);
		assert.match(sent, /<pasted name=\\"drawing\.svg\\">/);
		assert.match(sent, /data:image\/jpeg;base64,/);
	});
});
