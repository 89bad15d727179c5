/** Pictures that the user pastes and drops: in a chip, in the message, and what is said of those that cannot be sent. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ImageRef } from '../../src/protocol/ops/images.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { modelNotifications } from '../../src/protocol/turn/models.ts';
import { jpeg, png } from '../support/pictures.ts';
import { AT } from './support/fake-thread.ts';
import { waitFor } from '../support/wait-for.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: a picture', function () {
	this.timeout(30_000);
	const views = useViews();

	interface Given {
		readonly name: string;
		readonly type: string;
		/** Base64. */
		readonly data: string;
	}
	const image = (name: string, bytes: Buffer, type = 'image/png'): Given => ({
		name,
		type,
		data: bytes.toString('base64'),
	});

	/** Gives files to the input as the clipboard or a file manager does. */
	async function give(page: Page, way: 'paste' | 'drop', files: readonly Given[]): Promise<void> {
		await page.locator('.composer-field').evaluate(
			(field, [kind, given]) => {
				const data = new DataTransfer();
				for (const { name, type, data: base64 } of given) {
					const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
					data.items.add(new File([bytes], name, { type }));
				}
				const init = { bubbles: true, cancelable: true };
				field.dispatchEvent(
					kind === 'paste'
						? new ClipboardEvent('paste', { ...init, clipboardData: data })
						: new DragEvent('drop', { ...init, dataTransfer: data }),
				);
			},
			[way, files] as const,
		);
	}

	async function open() {
		const view = await views.open(withThread);
		const { page } = view;
		await page.getByRole('log').getByText('The first answer').waitFor();
		const chips = page.locator('.composer .chip:has(.chip-remove)');
		const alert = page.getByRole('alert');
		return { ...view, chips, alert, field: page.locator('.composer-field'), thread: only(view.extension) };
	}

	it('that is damaged is named with the reason, and not added', async () => {
		const { page, chips, alert } = await open();
		await give(page, 'drop', [image('cut.png', png().subarray(0, 30))]);
		await alert.filter({ hasText: 'cut.png is not a PNG, JPEG, GIF or WebP picture, or it is damaged.' }).waitFor();
		assert.equal(await chips.count(), 0);
	});

	it('above 5 MB is refused before it is read', async () => {
		const { page, chips, alert, extension } = await open();
		await give(page, 'drop', [image('large.png', Buffer.alloc(5 * 1024 * 1024 + 1))]);
		await alert.filter({ hasText: /large\.png has 5\s242\s881 bytes; a picture may have 5\s242\s880\./ }).waitFor();
		assert.equal(await chips.count(), 0);
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/attach').length, 0);
	});

	it('is refused as the 21st, with those that were to come with it', async () => {
		const { page, chips, alert } = await open();
		await give(
			page,
			'drop',
			Array.from({ length: 20 }, (_, n) => image(`${n}.png`, png())),
		);
		await chips.nth(19).waitFor();
		await give(page, 'paste', [image('image.png', png())]);
		await alert.filter({ hasText: 'The message has 21 pictures; at most 20 can be sent.' }).waitFor();
		assert.equal(await chips.count(), 20);
	});

	it('is shown small in its chip, goes with the message, and is shown in it', async () => {
		const { page, chips, field, extension, offences } = await open();
		await give(page, 'paste', [image('image.png', png(40, 30))]);
		await give(page, 'drop', [image('shot.jpg', jpeg, 'image/jpeg')]);
		await chips.nth(1).waitFor();
		assert.deepEqual(await chips.allTextContents(), ['PNG 40 × 30', 'shot.jpg']);
		const size = () =>
			page
				.locator('.chip-picture')
				.first()
				.evaluate((img: HTMLImageElement) => img.naturalWidth);
		await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.chip-picture')?.naturalWidth === 40);
		assert.equal(await size(), 40);
		const sent = extension.called('thread/prompt');
		await field.fill('what is this?');
		await field.press('Enter');
		const { context } = (await sent).params as { context: { kind: string; name?: string; width: number }[] };
		assert.deepEqual(
			context.map(({ kind, name, width }) => [kind, name, width]),
			[
				['image', undefined, 40],
				['image', 'shot.jpg', 16],
			],
		);
		await chips.first().waitFor({ state: 'detached' });
		assert.deepEqual(offences, []);
	});

	it('is waited for by a message, also by one that begins with a plan', async () => {
		const { page, chips, field, extension } = await open();
		const stored = Promise.withResolvers<void>();
		extension.storing = stored.promise;
		await give(page, 'paste', [image('image.png', png(40, 30))]);
		await extension.called('thread/attach', 0);
		const before = extension.calls.length;
		await field.fill('/plan what is this?');
		await field.press('Enter');
		stored.resolve();
		await chips.first().waitFor();
		await field.press('Enter');
		const { text, context } = (await extension.called('thread/prompt', before)).params as {
			text: string;
			context: { kind: string }[];
		};
		assert.deepEqual([text, context.map(({ kind }) => kind)], ['what is this?', ['image']]);
	});

	it('is taken out again by its button', async () => {
		const { page, chips } = await open();
		await give(page, 'drop', [image('shot.jpg', jpeg, 'image/jpeg')]);
		await page.getByRole('button', { name: 'Remove shot.jpg' }).click();
		await chips.first().waitFor({ state: 'detached' });
	});

	it('of a draft and of a queued message is there still after the page was loaded again', async () => {
		const { page, chips, field, extension, thread, reload } = await open();
		const turnId = thread.begin('go on');
		await page.getByRole('button', { name: 'Stop' }).waitFor();
		await give(page, 'paste', [image('image.png', png(40, 30))]);
		await chips.first().waitFor();
		await field.fill('queued');
		await field.press('Enter');
		await page.locator('.queued-text').waitFor();
		await give(page, 'drop', [image('shot.jpg', jpeg, 'image/jpeg')]);
		await chips.first().waitFor();
		await reload();
		await chips.getByText('shot.jpg').waitFor();
		await page.locator('.composer .chip-picture').waitFor();
		const sent = extension.called('thread/prompt');
		thread.end(turnId);
		const { text, context } = (await sent).params as { text: string; context: { width: number }[] };
		assert.deepEqual([text, context.map(({ width }) => width)], ['queued', [40]]);
	});

	it('for a model that is known to take none is warned of before it is sent', async () => {
		const { page, chips, extension } = await open();
		const warning = page.getByText('This model does not accept pictures. Choose another one, or remove them.');
		const [model] = extension.models;
		assert.ok(model);
		extension.models = [{ ...model, images: false }];
		extension.peer.notify(modelNotifications.changed, {});
		await give(page, 'paste', [image('image.png', png())]);
		await chips.first().waitFor();
		await warning.waitFor();
		await chips.first().getByRole('button').click();
		await warning.waitFor({ state: 'detached' });
	});

	it('that a tool returned stands below its closed card, small, opens large, and is there after a reload', async () => {
		const { page, extension, thread, reload } = await open();
		const turnId = thread.begin('look');
		const ref = (type: ImageRef['type'], name: string, data: string | undefined): ImageRef => {
			const id = newId('img');
			if (data !== undefined) extension.images.set(id, data);
			return { id, type, bytes: 72, width: type === 'image/png' ? 8 : 0, height: type === 'image/png' ? 6 : 0, name };
		};
		const wav = Buffer.from('UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==', 'base64');
		const images = [
			ref('image/png', 'shot', png().toString('base64')),
			ref('audio/wav', 'bell', wav.toString('base64')),
			ref('image/png', 'lost', undefined),
		];
		const item = { id: newId('itm'), turnId, at: AT, kind: 'tool' as const, opId: newId('op'), tool: 'mcp_call' };
		const call = { ...item, title: 'Call browser/shot', input: {}, output: '[picture]', outputTruncated: false };
		thread.emit({ type: 'item.start', item: { ...call, status: 'running' } });
		const lacks = { server: 'browser', path: '/home/me/shots' };
		thread.emit({ type: 'item.tool', itemId: item.id, patch: { status: 'done', images, lacks } });
		thread.end(turnId);
		const shown = async () => {
			const picture = page.getByRole('button', { name: 'Show shot large' });
			await picture.locator('img').waitFor();
			await page.waitForFunction(
				() => document.querySelector<HTMLImageElement>('.result-picture img')?.naturalWidth === 8,
			);
			assert.equal(await page.locator('audio[aria-label="bell"]').count(), 1);
			await page.getByText('lost is no longer stored.').waitFor();
			return picture;
		};
		await (await shown()).click();
		await page.getByRole('button', { name: 'Show shot small' }).waitFor();
		for (const [at, name] of ['shot', 'bell'].entries()) {
			const saved = extension.called('view/saveMedia', extension.calls.length);
			await page.getByRole('button', { name: `Save ${name}` }).click();
			assert.deepEqual((await saved).params, { id: images[at]?.id, name });
		}
		assert.equal(await page.getByRole('button', { name: 'Save lost' }).count(), 0);
		assert.deepEqual(await violations(page), []);
		await page.getByText('The MCP server browser may not change /home/me/shots.').waitFor();
		await page.getByRole('button', { name: 'Allow it…' }).click();
		await waitFor('the request', () => extension.letWrite.length > 0);
		assert.deepEqual(extension.letWrite, [['browser', '/home/me/shots']]);
		await reload();
		await shown();
		const kept = { server: 'browser', path: '/home/me/.shots', isOffered: false as const };
		thread.emit({ type: 'item.tool', itemId: item.id, patch: { lacks: kept } });
		await page
			.getByText('The MCP server browser may not change /home/me/.shots. Have it keep its files in another folder')
			.waitFor();
		assert.equal(await page.getByRole('button', { name: 'Allow it…' }).count(), 0);
	});
});
