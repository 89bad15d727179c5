/** A message that contains keys: nothing of it is sent before the user has said how. */
import assert from 'node:assert/strict';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: a message that contains a key', function () {
	this.timeout(30_000);
	const views = useViews();

	async function openWithKeys(known: number, lookalikes: number) {
		const view = await views.open(withThread);
		const { page, extension } = view;
		await page.getByRole('log').getByText('The first answer').waitFor();
		const field = page.locator('.composer-field');
		extension.secrets = { known, lookalikes };
		const enter = async (text: string) => {
			await field.fill(text);
			await field.press('Enter');
		};
		const button = (name: string) => page.getByRole('button', { name, exact: true });
		const isTaken = async () => {
			await page.waitForFunction((area) => (area as HTMLTextAreaElement).value === '', await field.elementHandle());
		};
		return { ...view, thread: only(extension), field, enter, isTaken, button, dock: page.locator('.dock.held') };
	}

	it('is held until the user sends it without the key', async () => {
		const { extension, thread, field, enter, isTaken, button, dock } = await openWithKeys(0, 1);
		await enter('use this key');
		await dock.getByText('1 key was removed from your message. Send it anyway?').waitFor();
		assert.equal(await field.inputValue(), 'use this key');
		const sent = extension.called('thread/prompt');
		await button('Send without the key').click();
		const params = { threadId: thread.id, text: 'use this key', context: [], secrets: 'remove' };
		assert.deepEqual((await sent).params, params);
		await dock.waitFor({ state: 'detached' });
		await isTaken();
	});

	it('is sent as it was typed when the user says so, and the next one is asked about again', async () => {
		const { extension, thread, enter, isTaken, button, dock } = await openWithKeys(0, 2);
		await enter('use these keys');
		await dock.getByText('2 keys were removed from your message. Send it anyway?').waitFor();
		const sent = extension.called('thread/prompt');
		await button('Send as typed').click();
		assert.equal(((await sent).params as { secrets: string }).secrets, 'keep');
		await isTaken();
		thread.end(thread.snapshot.turnId ?? assert.fail('no turn has begun'));
		await enter('and these');
		await dock.waitFor();
		assert.equal(thread.snapshot.turnId, null);
	});

	it('offers no way to send a key that is stored', async () => {
		const { enter, button, dock } = await openWithKeys(1, 0);
		await enter('use this key');
		await dock.getByText('Keys that are stored in Prowess are never sent.').waitFor();
		assert.deepEqual([await button('Send as typed').count(), await button('Remove only stored keys').count()], [0, 0]);
	});

	it('is not sent when the user does not want it to be, and is asked about no more once it is changed', async () => {
		const { extension, field, enter, button, dock } = await openWithKeys(0, 1);
		await enter('use this key');
		await button('Do not send').click();
		await dock.waitFor({ state: 'detached' });
		assert.equal(await field.inputValue(), 'use this key');
		await field.press('Enter');
		await dock.waitFor();
		await field.fill('use it');
		await dock.waitFor({ state: 'detached' });
		const prompts = extension.calls.filter(({ method }) => method === 'thread/prompt');
		assert.ok(prompts.every(({ params }) => !('secrets' in (params as object))));
	});

	it('waits on in the queue until the user has said how it is sent', async () => {
		const { page, extension, thread, enter, button, dock } = await openWithKeys(0, 1);
		const turnId = thread.begin('go on');
		await button('Stop').waitFor();
		await enter('later');
		thread.end(turnId);
		await dock.waitFor();
		assert.deepEqual(await page.locator('.queued-text').allTextContents(), ['later']);
		const sent = extension.called('thread/prompt');
		await button('Send without the key').click();
		await sent;
		await page.locator('.queued-text').waitFor({ state: 'detached' });
	});

	it('keeps the turn that it was to replace until then', async () => {
		const { page, extension, button, dock } = await openWithKeys(0, 1);
		await page.getByRole('button', { name: 'Edit and send again' }).focus();
		await page.keyboard.press('Enter');
		await page.getByLabel('Edit the message').fill('with the key');
		await button('Send again').click();
		await dock.waitFor();
		assert.ok(await page.getByRole('log').getByText('The first answer').isVisible());
		const again = extension.called('thread/rerun');
		await button('Send as typed').click();
		const { text, secrets } = (await again).params as { text: string; secrets: string };
		assert.deepEqual([text, secrets], ['with the key', 'keep']);
	});
});
