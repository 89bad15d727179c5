/** Real Chromium with the extension's policy: who asks, what a turn used, long names, long threads, and what is off. */
import assert from 'node:assert/strict';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { AT } from './support/fake-thread.ts';
import { waitFor } from '../support/wait-for.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: what the chat shows of itself', function () {
	this.timeout(60_000);
	const views = useViews();

	it('asks in the name of Prowess what no model has written, with no second field for the answer', async () => {
		const asked = { opId: newId('op'), options: ['To a sub-agent', 'Answer directly'], askedAt: AT, expiresAt: AT };
		const { page, extension } = await views.open(withThread);
		const { id: threadId } = only(extension);
		const ours = { ...asked, id: newId('ask'), threadId, question: 'Hand it over?', isOurs: true as const };
		extension.setDesk({ questions: [ours] });
		const dock = page.getByRole('group', { name: 'Question' });
		await dock.getByText('Prowess asks:').waitFor();
		assert.equal(await dock.getByRole('textbox').count(), 0);
		extension.setDesk({ questions: [{ ...asked, id: newId('ask'), threadId, question: 'Which one?' }] });
		await dock.getByText('The agent asks, in its own words:').waitFor();
		assert.equal(await dock.getByRole('textbox').count(), 0);
		// A message typed in a thread answers no question that belongs to none.
		extension.setDesk({ questions: [{ ...asked, id: newId('ask'), threadId: null, question: 'And here?' }] });
		await dock.getByRole('textbox', { name: 'Your answer' }).waitFor();
		assert.deepEqual(await violations(page), []);
	});

	it('offers the code base while its index is off, and turns that on when it is chosen', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				const detail = 'Off. Choose it to turn on the code index';
				fake.suggestions = [{ ref: { kind: 'codebase' }, label: 'codebase', detail, isOff: true }];
			},
		});
		await page.getByPlaceholder('Ask or describe a task').fill('@codeb');
		const turnedOn = extension.called('view/turnOnCodeIndex');
		await page.getByRole('option', { name: /Off\. Choose it/ }).click();
		await turnedOn;
		await page.getByText('codebase', { exact: true }).first().waitFor();
	});

	it('says time, tokens and cost of a turn to whoever points at its end, and asks for them only then', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.turnUse = { tookMs: 75_000, tokens: 12_345, cost: 0.25 };
			},
		});
		const record = page.locator('.turn-record').last();
		await record.waitFor();
		assert.equal(extension.calls.filter(({ method }) => method === 'view/turnUse').length, 0);
		await record.hover();
		await record.getByText('1 min 15 s · 12,345 tokens · $0.25').waitFor();
	});

	for (const width of [300, 900]) {
		it(`keeps the verb and the end of a long file name in sight at ${width} px`, async () => {
			const { page, extension } = await views.open({ ...withThread, width });
			const thread = only(extension);
			const turnId = thread.begin('go');
			const path = `src/deep/folder/${'a'.repeat(200)}.test.ts`;
			const call = { opId: newId('op'), tool: 'fs_read', input: { path }, output: '', outputTruncated: false };
			const item = { ...call, id: newId('itm'), turnId, at: AT, title: `Read ${path}`, durationMs: 4 };
			thread.emit({ type: 'item.start', item: { ...item, kind: 'tool', status: 'done' } });
			const title = page.locator('.card-title.split').last();
			const box = await title.boundingBox();
			const [verb, end] = await Promise.all([
				title.locator('.title-verb').boundingBox(),
				title.locator('.title-end').boundingBox(),
			]);
			assert.ok(box !== null && verb !== null && end !== null);
			assert.ok(verb.width > 20 && end.x + end.width <= box.x + box.width + 1, JSON.stringify({ box, verb, end }));
			assert.equal(await title.locator('.title-end').textContent(), 'aa.test.ts');
		});
	}

	it('goes to the first message of a long thread in one step', async () => {
		const { page } = await views.open({
			prepare(fake) {
				const thread = fake.addThread();
				fake.threadId = thread.id;
				const turnId = newId('trn');
				thread.older = Array.from({ length: 900 }, (_, n) => {
					return { id: newId('itm'), turnId, at: AT, kind: 'text' as const, text: `message ${n}.`, done: true };
				});
			},
		});
		await page.getByRole('log').getByText('message 899.').waitFor();
		await page.getByRole('button', { name: 'First message' }).click();
		await page.getByRole('log').getByText('message 0.', { exact: true }).waitFor();
		const box = await page.getByRole('log').getByText('message 0.', { exact: true }).boundingBox();
		assert.ok(box !== null && box.y >= 0 && box.y < 700, JSON.stringify(box));
	});

	it('finds words anywhere in a long thread, from the newest place on, by keyboard alone', async () => {
		const { page } = await views.open({
			width: 300,
			prepare(fake) {
				const thread = fake.addThread();
				fake.threadId = thread.id;
				const turnId = newId('trn');
				thread.older = Array.from({ length: 700 }, (_, n) => {
					const text = `message ${n}.${n % 300 === 5 ? ' A needle.' : ''}`;
					return { id: newId('itm'), turnId, at: AT, kind: 'text' as const, text, done: true };
				});
			},
		});
		await page.getByRole('log').getByText('message 699.').waitFor();
		await page.keyboard.press('Control+f');
		const bar = page.getByRole('search', { name: 'Find in this thread' });
		await bar.getByRole('searchbox').and(page.locator(':focus')).fill('NEEDLE');
		await bar.getByRole('status').getByText('3 found').waitFor();
		for (const [n, place] of [
			[605, '3 of 3'],
			[305, '2 of 3'],
			[5, '1 of 3'],
		] as const) {
			await page.keyboard.press('Enter');
			await bar.getByRole('status').getByText(place).waitFor();
			const row = page.locator('.found-item').getByText(`message ${n}. A needle.`);
			await row.waitFor();
			const box = await row.boundingBox();
			assert.ok(box !== null && box.y >= 0 && box.y < 700, JSON.stringify(box));
		}
		assert.deepEqual(await violations(page), []);
		await bar.getByRole('searchbox').fill('haystack');
		await bar.getByRole('status').getByText('Nothing found').waitFor();
		await page.keyboard.press('Escape');
		await bar.waitFor({ state: 'detached' });
		await page.getByRole('log').and(page.locator(':focus')).waitFor();
	});

	it('has the keyboard in what a key or a click opens before the next key, also on a busy page', async () => {
		const { page } = await views.open(withThread);
		const focusAfter = (act: string) =>
			page.evaluate(async (what) => {
				const last = document.activeElement ?? document.body;
				if (what === 'find') {
					last.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true }));
				} else {
					document.querySelector<HTMLElement>(`button[aria-label="${what}"]`)?.click();
				}
				// Drawn, and not yet painted.
				await new Promise(requestAnimationFrame);
				return document.activeElement?.getAttribute('aria-label');
			}, act);
		const bar = page.getByRole('search', { name: 'Find in this thread' });
		await page.getByRole('log').waitFor();
		await waitFor('the key to be heard', async () => {
			await page.keyboard.press('Control+f');
			return (await bar.count()) > 0;
		});
		await page.keyboard.press('Escape');
		await bar.waitFor({ state: 'detached' });
		assert.equal(await focusAfter('find'), 'Find in this thread');
		await page.keyboard.press('Escape');
		assert.equal(await focusAfter('Threads'), 'Search threads');
	});

	it('keeps a message that no folder is there for, and offers to open the folder', async () => {
		const { page, extension } = await views.open(withThread);
		extension.promptFailure = new ProwessError('WORKSPACE_FOLDER_GONE', 'gone', { path: '/srv/moved' });
		const field = page.getByPlaceholder('Ask or describe a task');
		await field.fill('Fix it');
		await page.keyboard.press('Enter');
		const alert = page.getByRole('alert').filter({ hasText: 'The folder "/srv/moved" is no longer there.' });
		const opened = extension.called('view/command');
		await alert.getByRole('button', { name: 'Open folder' }).click();
		assert.deepEqual((await opened).params, { command: 'openFolder' });
		assert.equal(await field.inputValue(), 'Fix it');
	});
});
