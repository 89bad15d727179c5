/** Checks that nothing is lost of what a user types, sends or chooses before the page knows its thread, or has drawn it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { viewNotifications } from '../../src/protocol/pages/chat-view.ts';
import { png } from '../support/pictures.ts';
import { waitFor } from '../support/wait-for.ts';
import { HERE } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { withThread } from './support/with-thread.ts';

describe('webview: a page that has just been opened', function () {
	this.timeout(30_000);
	const views = useViews();
	const field = (page: Page) => page.locator('.composer-field');

	/** `answer`: the extension says which thread is shown; `fail`: it cannot. */
	async function openHeld() {
		const { promise: beforeStart, resolve: answer, reject } = Promise.withResolvers<void>();
		const view = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.beforeStart = beforeStart;
			},
		});
		return { ...view, answer, fail: () => reject(new ProwessError('INTERNAL', 'no answer')) };
	}

	it('keeps a message that was sent too early where the start fails, and sends it only when asked again', async () => {
		const { page, extension, fail } = await openHeld();
		await field(page).fill('What is this?');
		await field(page).press('Enter');
		extension.beforeStart = undefined;
		fail();
		await page.getByRole('button', { name: 'Try again' }).click();
		await page.getByRole('log').getByText('The first answer').waitFor();
		assert.equal(await field(page).inputValue(), 'What is this?');
		assert.ok(!extension.calls.some(({ method }) => method === 'thread/prompt'));
		const sent = extension.called('thread/prompt');
		await field(page).press('Enter');
		assert.equal(((await sent).params as { readonly threadId: string }).threadId, HERE);
	});

	it('sends nothing for Plan mode where the start fails, not even in another mode', async () => {
		const { page, extension, fail } = await openHeld();
		await field(page).fill('/plan Tidy up');
		await field(page).press('Enter');
		extension.beforeStart = undefined;
		fail();
		await page.getByRole('button', { name: 'Try again' }).click();
		await page.getByRole('log').getByText('The first answer').waitFor();
		assert.equal(await field(page).inputValue(), '/plan Tidy up');
		const methods = extension.calls.map(({ method }) => method);
		assert.deepEqual(
			methods.filter((method) => method === 'thread/prompt' || method === 'thread/create'),
			[],
		);
	});

	it('asks beside the thread that it shows then', async () => {
		const { page, extension, answer } = await openHeld();
		await field(page).fill('/btw Why is the sum higher?');
		const asked = extension.called('view/aside');
		await field(page).press('Enter');
		answer();
		await asked;
		await page.getByRole('log').getByText('The first answer').waitFor();
		await page.locator('.dock.aside strong', { hasText: 'tax' }).waitFor();
	});

	it('sends a message that was sent too early in the thread that it shows then, once', async () => {
		const { page, extension, answer } = await openHeld();
		await field(page).fill('/init Name the ports.');
		const sent = extension.called('thread/prompt');
		await field(page).press('Enter');
		await field(page).press('Enter');
		await field(page).press('End');
		await field(page).pressSequentially(' And');
		answer();
		const { threadId, text } = (await sent).params as { readonly threadId: string; readonly text: string };
		assert.equal(threadId, HERE);
		assert.match(text, /^Write AGENTS\.md[\s\S]*Name the ports\.$/);
		await waitFor('what was typed behind it', async () => (await field(page).inputValue()) === ' And');
		const methods = extension.calls.map(({ method }) => method);
		assert.equal(methods.filter((method) => method === 'thread/prompt').length, 1);
		assert.ok(!methods.includes('thread/create'));
	});

	it('changes the mode of the thread that it shows then', async () => {
		const { page, extension, answer } = await openHeld();
		await page.getByRole('button', { name: 'Mode: Agent' }).click();
		await page.getByRole('menu', { name: 'Mode' }).waitFor();
		await page.keyboard.press('End');
		await page.keyboard.press('ArrowUp');
		const changed = extension.called('thread/set');
		await page.keyboard.press('Enter');
		answer();
		assert.deepEqual((await changed).params, { threadId: HERE, mode: 'plan' });
		await page.getByRole('button', { name: 'Mode: Plan' }).waitFor();
	});

	it('carries out a command that was given too early, once', async () => {
		const { page, extension, answer } = await openHeld();
		await field(page).fill('/export');
		const exported = extension.called('view/exportThread');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Enter');
		assert.equal(await field(page).inputValue(), '');
		answer();
		assert.deepEqual((await exported).params, { threadId: HERE, format: 'markdown' });
		await page.getByRole('log').getByText('The first answer').waitFor();
		assert.equal(extension.calls.filter(({ method }) => method === 'view/exportThread').length, 1);
	});

	it('begins a new thread where that was wanted too early', async () => {
		const { page, extension, answer } = await openHeld();
		await field(page).fill('/clear');
		await page.keyboard.press('Enter');
		assert.equal(await field(page).inputValue(), '');
		// The answer with the thread is on the way already.
		extension.threadId = HERE;
		answer();
		await page.getByRole('heading', { name: 'New thread' }).waitFor();
		assert.equal(await field(page).inputValue(), '');
	});

	const waysToAttach: Readonly<Record<string, readonly [method: string, act: (page: Page) => Promise<unknown>]>> = {
		'that were picked': [
			'view/pickFiles',
			(page) => page.getByRole('button', { name: 'Attach files or pictures' }).click(),
		],
		'that were dropped': ['view/resolveDrop', (page) => drop(page, { uri: 'file:///w/src/cart.ts' })],
		'that are pictures': ['thread/attach', (page) => drop(page, { picture: png().toString('base64') })],
	};
	for (const [which, [method, act]] of Object.entries(waysToAttach)) {
		it(`has files ${which} too early at the message of the thread that it shows then`, async () => {
			const { page, extension, answer } = await openHeld();
			const { promise, resolve: found } = Promise.withResolvers<void>();
			extension.storing = promise;
			extension.picked = [{ kind: 'file', path: 'cart.ts' }];
			const asked = extension.called(method);
			await act(page);
			await asked;
			answer();
			await page.getByRole('log').getByText('The first answer').waitFor();
			found();
			await page.locator('.composer .chip', { hasText: 'cart.ts' }).waitFor();
		});
	}

	it('takes no tour where the start fails, until it is asked for again', async () => {
		const { page, extension, fail } = await openHeld();
		await extension.called('view/start', 0);
		extension.peer.notify(viewNotifications.takeTour, {});
		extension.beforeStart = undefined;
		fail();
		await page.getByRole('button', { name: 'Try again' }).click();
		await page.getByRole('log').getByText('The first answer').waitFor();
		const begun = () => extension.calls.filter(({ method }) => method === 'thread/create').length;
		assert.equal(begun(), 0);
		const sent = extension.called('thread/prompt');
		extension.peer.notify(viewNotifications.takeTour, {});
		await sent;
		assert.equal(begun(), 1);
	});

	it('takes the tour in a new thread, and gives the next one the model that was chosen before', async () => {
		const { page, extension, answer } = await openHeld();
		const listed = extension.called('model/list');
		extension.threadId = null;
		extension.setModels(extension.models);
		await listed;
		await page.locator('.model-button').click();
		await page.getByRole('option', { name: /Sonnet/ }).click();
		await page.locator('.model-menu').waitFor({ state: 'detached' });
		const [created, prompted] = [extension.called('thread/create'), extension.called('thread/prompt')];
		extension.peer.notify(viewNotifications.takeTour, {});
		answer();
		const begun = (await created).params as { readonly modelId: string; readonly mode: string };
		assert.deepEqual([begun.modelId, begun.mode], ['tour/sample', 'agent']);
		assert.equal(((await prompted).params as { text: string }).text, 'Find the failing test and fix it');
		await page.getByRole('button', { name: 'New thread', exact: true }).last().click();
		await page.locator('.empty-state').waitFor();
		await page.locator('.model-button', { hasText: 'Sonnet' }).waitFor();
	});

	it('keeps what is typed while the thread is known and not drawn yet', async () => {
		const { page, extension, answer } = await openHeld();
		const draw = await holdFrames(page);
		const opened = extension.called('thread/open');
		answer();
		await opened;
		await field(page).fill('/init Name the ports.');
		await draw();
		assert.equal(await field(page).inputValue(), '/init Name the ports.');
		const sent = extension.called('thread/prompt');
		await field(page).press('Enter');
		assert.equal(((await sent).params as { readonly threadId: string }).threadId, HERE);
	});

	/** `taken`: the page hears that its message was taken. */
	async function openSending() {
		const view = await views.open(withThread);
		const { promise, resolve: taken } = Promise.withResolvers<void>();
		view.extension.untilTaken = promise;
		await view.page.getByRole('log').getByText('The first answer').waitFor();
		return { ...view, taken };
	}

	it('has its field empty once a message was taken, also where it draws nothing', async () => {
		const { page, extension, taken } = await openSending();
		await holdFrames(page);
		await field(page).fill('What is this?');
		const sent = extension.called('thread/prompt');
		await field(page).press('Enter');
		await sent;
		taken();
		await waitFor('the end of the text', async () => (await field(page).inputValue()) === '');
	});

	it('does not put a message that was sent before what is typed while its field is not drawn yet', async () => {
		const { page, extension, taken } = await openSending();
		await field(page).fill('What is this?');
		await field(page).press('Enter');
		await page.getByRole('log').getByText('What is this?').waitFor();
		await waitFor('the draft to be kept', () => extension.typed.drafts[HERE] !== undefined);
		const draw = await holdFrames(page);
		taken();
		await waitFor('the draft to be gone', () => extension.typed.drafts[HERE] === undefined);
		await page.keyboard.type('Next');
		await draw();
		assert.equal(await field(page).inputValue(), 'Next');
	});
});

/** Drops a file of the editor, or a picture (bytes in base64), on the field. */
async function drop(page: Page, dropped: { readonly uri?: string; readonly picture?: string }): Promise<void> {
	await page.locator('.composer-field').evaluate((element, { uri, picture }) => {
		const dataTransfer = new DataTransfer();
		if (uri !== undefined) dataTransfer.setData('application/vnd.code.uri-list', uri);
		const bytes = Uint8Array.from(atob(picture ?? ''), (char) => char.charCodeAt(0));
		if (picture !== undefined) dataTransfer.items.add(new File([bytes], 'cart.ts.png', { type: 'image/png' }));
		element.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
	}, dropped);
}

/** The page draws nothing more by itself; the result draws what waits. */
async function holdFrames(page: Page): Promise<() => Promise<void>> {
	await page.evaluate(() => {
		const frames: FrameRequestCallback[] = [];
		window.requestAnimationFrame = (callback) => frames.push(callback);
		Object.assign(window, { drawFrames: () => frames.splice(0).forEach((frame) => frame(performance.now())) });
	});
	return () => page.evaluate('drawFrames()');
}
