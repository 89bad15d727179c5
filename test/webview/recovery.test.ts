/**
 * Checks that the view survives garbage, missed and early updates, its own end, a server that is gone, and long
 * threads.
 */
import assert from 'node:assert/strict';
import { viewNotifications } from '../../src/protocol/pages/chat-view.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../src/protocol/rpc/ids.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: recovery', function () {
	this.timeout(30_000);
	const views = useViews();

	it('draws a list that is nested very deep, and goes on', async () => {
		const list = (levels: number) =>
			Array.from({ length: levels }, (_, level) => `${' '.repeat(2 * level)}- level ${level}`).join('\n');
		const { page, extension, offences } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const thread = only(extension);
		for (const levels of [200, 300]) {
			thread.say('deep', list(levels));
		}
		thread.say('emphasis', `${'**a *b '.repeat(400)}${'c* d** '.repeat(400)}`);
		thread.say('again', 'Still here');
		await page.getByRole('log').getByText('Still here').waitFor();
		await page.locator('.markdown li', { hasText: 'level 10' }).first().waitFor();
		await page.locator('.markdown', { hasText: '- level 199' }).first().waitFor();
		await page.locator('.composer-field').fill('on');
		const prompted = extension.called('thread/prompt');
		await page.keyboard.press('Enter');
		await prompted;
		assert.deepEqual(offences, []);
	});

	it('shows a message that cannot be drawn as it was written, and draws all others', async () => {
		const { page, extension, offences } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		await page.evaluate(() => {
			const create = document.createElementNS.bind(document) as (space: string, name: string) => Element;
			const createPlain = document.createElement.bind(document) as (name: string) => HTMLElement;
			const refuse = (name: string) => {
				if (name === 'table') throw new RangeError('no tables today');
			};
			Object.assign(document, {
				createElementNS: (space: string, name: string) => (refuse(name), create(space, name)),
				createElement: (name: string) => (refuse(name), createPlain(name)),
			});
		});
		only(extension).say('table', '| a | b |\n|---|---|\n| 1 | 2 |');
		only(extension).say('again', 'Still here');
		await page.getByRole('log').getByText('Still here').waitFor();
		await page.locator('.undrawn pre').getByText('| 1 | 2 |').waitFor();
		assert.deepEqual(offences, ['error: no tables today']);
	});

	it('is drawn at once with long words before an at sign', async () => {
		const { page, extension, offences } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		// A search that begins anew at each letter takes minutes, which is beyond the limit of this spec.
		for (const part of ['a.', 'a_', 'a+b']) {
			only(extension).say('mail', `${part.repeat(50_000)}@x and me@example.org`);
		}
		only(extension).say('again', 'Still here');
		await page.getByRole('log').getByText('Still here').waitFor();
		assert.deepEqual(offences, []);
	});

	it('drops garbage frames and notifications and goes on', async () => {
		const { page, extension, offences, post } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const garbage: unknown[] = [
			null,
			7,
			'x',
			[],
			{},
			{ kind: 'x' },
			{ kind: 'result' },
			{ kind: 'result', id: 1e9, result: {} },
			{ kind: 'error', id: 'a' },
			{ kind: 'request', id: 1, method: 'x' },
		];
		const methods = [
			'thread/update',
			'desk/changed',
			'change/changed',
			'view/server',
			'view/workspace',
			'view/settings',
			'view/showThread',
			'view/insert',
			'unknown/x',
		];
		const params: unknown[] = [
			undefined,
			null,
			7,
			'x',
			[],
			{},
			{ threadId: 'nonsense' },
			{ threadId: only(extension).id, seq: -1, events: [] },
			{ threadId: only(extension).id, seq: 3, events: [{ type: 'x' }] },
			{ approvals: [{}], questions: 'x' },
		];
		for (const frame of [
			...garbage,
			...methods.flatMap((method) => params.map((given) => ({ kind: 'notification', method, params: given }))),
		]) {
			await post(frame);
		}
		only(extension).say('again', 'Still here');
		await page.getByRole('log').getByText('Still here').waitFor();
		assert.deepEqual(offences, []);
	});

	it('asks for the thread again after a missed update, and shows what it had missed', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const thread = only(extension);
		const turnId = thread.begin('more');
		const id = thread.startText(turnId, 'one ');
		await page.getByRole('log').getByText('one').waitFor();
		const from = extension.calls.length;
		thread.lose({ type: 'item.delta', itemId: id, text: 'two ' });
		thread.delta(id, 'three');
		await extension.called('thread/open', from);
		await page.getByRole('log').getByText('one two three').waitFor();
	});

	it('keeps updates that come while a snapshot is on its way', async () => {
		const { page, extension } = await views.open();
		await page.locator('.empty-state').waitFor();
		const thread = extension.addThread();
		thread.say('a', 'whole');
		const old = thread.open(200);
		extension.beforeOpen = () => {
			extension.beforeOpen = undefined;
			thread.say('b', 'came early');
			thread.snapshot = { ...thread.snapshot };
		};
		assert.equal(old.items.length, 2);
		extension.peer.notify(viewNotifications.showThread, {
			threadId: thread.id,
		});
		await page.getByRole('log').getByText('came early').waitFor();
		assert.equal(await page.getByRole('log').getByText('came early').count(), 1);
	});

	it('is empty when the thread that was shown is gone, says so, and does not ask for it again', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.threadId = newId('thr');
				fake.addThread({ title: 'Still here' });
			},
		});
		await page.getByText('This thread does not exist').waitFor();
		await page.locator('.empty-state .recent').getByText('Still here').waitFor();
		assert.deepEqual((await extension.called('view/show', 0)).params, { threadId: null });
	});

	it('is empty when the shown thread is deleted, and tells the editor that none is shown', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const shown = extension.called('view/show');
		only(extension).emit({ type: 'thread.deleted' });
		assert.deepEqual((await shown).params, { threadId: null });
		await page.locator('.empty-state').waitFor();
	});

	it('is rebuilt in the middle of a turn, with what was being typed', async () => {
		const { page, extension, reload } = await views.open(withThread);
		const thread = only(extension);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const id = thread.startText(thread.begin('long'), 'begun ');
		await page.locator('.composer-field').fill('half a thought');
		await page.getByRole('log').getByText('begun').waitFor();
		await reload();
		await page.getByRole('log').getByText('begun').waitFor();
		thread.delta(id, 'and ended');
		await page.getByRole('log').getByText('begun and ended').waitFor();
		assert.equal(await page.locator('.composer-field').inputValue(), 'half a thought');
	});

	it('says that the server is not running, offers a restart, and fills itself again afterwards', async () => {
		const { page, extension } = await views.open(withThread);
		extension.setServer({ kind: 'degraded', reason: 'it ended three times' });
		const restarted = extension.called('view/command');
		await page.getByRole('button', { name: 'Restart' }).click();
		assert.deepEqual((await restarted).params, { command: 'restartServer' });
		const from = extension.calls.length;
		extension.setServer({ kind: 'running' });
		await extension.called('thread/open', from);
		await page.getByRole('log').getByText('The first answer').waitFor();
	});

	it('shows nothing as running when the server is gone for good, and forgets a failure with the next one', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		await page.getByRole('log').getByText('The first answer').waitFor();
		thread.startText(thread.begin('on'), 'Half of');
		await page.getByText('Working…').waitFor();
		extension.setServer({ kind: 'degraded', reason: 'it ended three times' });
		await page.getByText('The agent is not running').waitFor();
		await page.getByText('Working…').waitFor({ state: 'detached' });
		assert.equal(await page.getByRole('button', { name: 'Stop', exact: true }).count(), 0);

		extension.promptFailure = new ProwessError('SERVER_DEGRADED', 'the server died too often', { reason: 'x' });
		await page.locator('.composer-field').fill('Are you there?');
		await page.locator('.composer-field').press('Enter');
		await page.locator('.problem').waitFor();
		extension.setServer({ kind: 'starting' });
		await page.locator('.problem').waitFor({ state: 'detached' });
		assert.equal(await page.locator('.composer-field').inputValue(), 'Are you there?');
	});

	it('asks for everything again once its workspace is trusted, with what was being typed', async () => {
		const untrusted = { trusted: false, folders: ['/srv/sample'], isSample: false };
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.workspace = untrusted;
				fake.promptFailure = new ProwessError('WORKSPACE_UNTRUSTED', 'the workspace is not trusted');
			},
		});
		await page.getByText('This workspace is not trusted').waitFor();
		await page.locator('.composer-field').fill('half a thought');
		await page.locator('.composer-field').press('Enter');
		const problem = page.locator('.problem');
		await problem.waitFor();

		const from = extension.calls.length;
		extension.setWorkspace({ ...untrusted, trusted: true });
		await extension.called('thread/list', from);
		await page.getByRole('button', { name: 'Explain how this project is structured' }).waitFor();
		await problem.waitFor({ state: 'detached' });
		assert.equal(await page.getByText('This workspace is not trusted').count(), 0);
		assert.equal(await page.locator('.composer-field').inputValue(), 'half a thought');

		assert.equal(extension.calls.filter(({ method }) => method === 'view/start').length, 2);
	});

	it('opens a thread of 2,000 messages at its end, and shows earlier ones in place', async () => {
		const id = newId('thr') as ThreadId;
		const { page } = await views.open({
			prepare(fake) {
				const thread = fake.addThread({ id });
				fake.threadId = id;
				const turnId = newId('trn');
				thread.older = Array.from({ length: 2000 }, (_, n) => ({
					id: newId('itm'),
					turnId,
					at: AT,
					kind: 'text' as const,
					text: `message **${n}**`,
					done: true,
				}));
			},
		});
		await page.getByRole('log').getByText('message 1999').waitFor();
		assert.ok((await page.locator('.item').count()) < 100);
		const before = page.getByRole('log').getByText('message 1940');
		await page.locator('.show-earlier').scrollIntoViewIfNeeded();
		const top = (await before.boundingBox())?.y ?? 0;
		await page.locator('.show-earlier').click();
		await page.getByRole('log').getByText('message 1900').waitFor({ state: 'attached' });
		assert.ok(Math.abs(((await before.boundingBox())?.y ?? 0) - top) < 60);
		for (let n = 0; n < 3; n += 1) {
			await page.locator('.show-earlier').click();
		}
		await page.getByRole('log').getByText('message 1700').waitFor({ state: 'attached' });
		await page.getByRole('button', { name: 'Jump to newest' }).click();
		await page.getByRole('log').getByText('message 1999').waitFor();
	});
});
