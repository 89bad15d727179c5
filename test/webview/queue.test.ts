/** Checks the effect of Enter while the agent works or waits for the user. */
import assert from 'node:assert/strict';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { viewNotifications } from '../../src/protocol/pages/chat-view.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { waitFor } from '../support/wait-for.ts';
import { approval } from './support/fake-extension.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: a message while the agent works', function () {
	this.timeout(30_000);
	const views = useViews();

	async function openRunning() {
		const view = await views.open(withThread);
		await view.page.getByRole('log').getByText('The first answer').waitFor();
		const thread = only(view.extension);
		const turnId = thread.begin('go on');
		await view.page.getByRole('button', { name: 'Stop' }).waitFor();
		const field = view.page.locator('.composer-field');
		const enter = async (text: string) => {
			await field.fill(text);
			await field.press('Enter');
		};
		return { ...view, thread, turnId, field, enter, queued: view.page.locator('.queued-text') };
	}

	it('waits, and is sent when the turn ends, one after the other', async () => {
		const { extension, thread, turnId, field, enter, queued } = await openRunning();
		await enter('first');
		await enter('second');
		await queued.getByText('second').waitFor();
		assert.deepEqual(await queued.allTextContents(), ['first', 'second']);
		assert.equal(await field.inputValue(), '');
		const prompts = () =>
			extension.calls.filter(({ method }) => method === 'thread/prompt').map(({ params }) => params);
		assert.deepEqual(prompts(), []);
		const sent = extension.called('thread/prompt');
		thread.end(turnId);
		const { messageId, ...params } = (await sent).params as { messageId: string };
		assert.match(messageId, /^itm_/);
		assert.deepEqual(params, { threadId: thread.id, text: 'first', context: [] });
		await queued.getByText('first').waitFor({ state: 'detached' });
		assert.deepEqual(await queued.allTextContents(), ['second']);
		const next = extension.called('thread/prompt');
		thread.end(thread.snapshot.turnId ?? turnId);
		assert.equal(((await next).params as { text: string }).text, 'second');
		await queued.waitFor({ state: 'detached' });
		assert.equal(prompts().length, 2);
	});

	it('is sent at once when the turn has ended and nothing of that is drawn yet', async () => {
		const { page, extension, thread, turnId, field, queued } = await openRunning();
		await field.fill('and then');
		// In the task in which the end of the turn arrives.
		await field.evaluate((element) => {
			window.addEventListener('message', ({ data }) => {
				if (!JSON.stringify(data).includes('turn.end')) return;
				element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
			});
		});
		const sent = extension.called('thread/prompt');
		thread.end(turnId);
		assert.equal(((await sent).params as { text: string }).text, 'and then');
		await page.getByRole('button', { name: 'Stop' }).waitFor();
		await queued.waitFor({ state: 'detached' });
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/prompt').length, 1);
	});

	it('waits on when the turn was stopped, until the user sends it', async () => {
		const { page, extension, enter, queued } = await openRunning();
		await enter('later');
		await page.getByRole('button', { name: 'Stop', exact: true }).click();
		await page.getByRole('button', { name: 'Send now' }).waitFor();
		assert.deepEqual(await queued.allTextContents(), ['later']);
		const sent = extension.called('thread/prompt');
		await page.getByRole('button', { name: 'Send now' }).click();
		await sent;
		await queued.waitFor({ state: 'detached' });
	});

	it('waits on when it could not be sent', async () => {
		const { page, extension, thread, turnId, enter, queued } = await openRunning();
		await enter('later');
		extension.promptFailure = new ProwessError('NO_MODEL', 'no model is connected');
		thread.end(turnId);
		await page.getByRole('alert').filter({ hasText: 'model' }).waitFor();
		await page.getByRole('button', { name: 'Send now' }).waitFor();
		assert.deepEqual(await queued.allTextContents(), ['later']);
	});

	it('goes to the turn that runs with Ctrl+Enter, and says in the thread that it did', async () => {
		const { page, extension, thread, field, queued } = await openRunning();
		const sent = extension.called('thread/steer');
		await field.fill('use pnpm');
		await field.press('Control+Enter');
		const { messageId, ...params } = (await sent).params as { messageId: string };
		assert.deepEqual(params, { threadId: thread.id, text: 'use pnpm', context: [] });
		const shown = page.locator('.item.user').filter({ hasText: 'use pnpm' });
		await shown.getByText('Sent while the agent worked').waitFor();
		await queued.waitFor({ state: 'detached' });
		assert.deepEqual([await field.inputValue(), thread.snapshot.items.at(-1)?.id], ['', messageId]);
		assert.equal(await shown.getByRole('button').count(), 0);
	});

	it('goes to the turn that runs with Ctrl+Shift+Enter where Ctrl+Enter sends', async () => {
		const { extension, field, queued, page } = await openRunning();
		extension.peer.notify(viewNotifications.settings, { sendWith: 'ctrlEnter', tellsActiveFile: false });
		await field.fill('later');
		await page.getByRole('button', { name: 'Queue' }).and(page.locator('[title*="Ctrl+Shift+Enter"]')).waitFor();
		await field.press('Control+Enter');
		await queued.getByText('later').waitFor();
		const sent = extension.called('thread/steer');
		await field.fill('now');
		await field.press('Control+Shift+Enter');
		assert.equal(((await sent).params as { text: string }).text, 'now');
	});

	it('that waits can go to the turn at once, or take its place', async () => {
		const { page, extension, thread, turnId, enter, queued } = await openRunning();
		await enter('now');
		await enter('instead');
		const steered = extension.called('thread/steer');
		await page.getByRole('button', { name: 'Send now' }).first().click();
		assert.equal(((await steered).params as { text: string }).text, 'now');
		await queued.getByText('now', { exact: true }).waitFor({ state: 'detached' });
		assert.equal(thread.snapshot.turnId, turnId);
		const stopped = extension.called('thread/stop');
		const begun = extension.called('thread/steer');
		await page.getByRole('button', { name: 'Stop and send' }).click();
		await stopped;
		assert.equal(((await begun).params as { text: string }).text, 'instead');
		await queued.waitFor({ state: 'detached' });
		assert.notEqual(thread.snapshot.turnId, turnId);
	});

	it('is not shown as waiting when it was taken and the answer was lost with the view', async () => {
		const { page, extension, thread, enter, queued, reload } = await openRunning();
		await enter('taken');
		await enter('waits');
		await page.getByRole('button', { name: 'Send now' }).first().waitFor();
		const id = await waitFor('both to be kept', () => {
			const kept = extension.typed.queues[thread.id] ?? [];
			return kept.length === 2 && kept[0]?.id;
		});
		thread.lose({
			type: 'item.start',
			item: {
				id,
				turnId: thread.snapshot.turnId ?? newId('trn'),
				at: AT,
				kind: 'user',
				text: 'taken',
				context: [],
				isSteering: true,
			},
		});
		await reload();
		await queued.getByText('waits').waitFor();
		await page.locator('.item.user').filter({ hasText: 'taken' }).waitFor();
		assert.deepEqual(await queued.allTextContents(), ['waits']);
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'thread/steer'),
			[],
		);
	});

	it('of an agent is shown with the name of the agent, and is none of the user’s earlier messages', async () => {
		const { page, thread, field } = await openRunning();
		const turnId = thread.snapshot.turnId ?? newId('trn');
		const from = { id: thread.id, name: 'checker' };
		const item = { id: newId('itm'), turnId, at: AT, text: 'The port is taken', context: [], isSteering: true, from };
		thread.emit({ type: 'item.start', item: { kind: 'user', ...item } });
		await page.getByText('From the agent checker, not from you').waitFor();
		assert.equal(await page.getByText('Sent while the agent worked').count(), 0);
		await field.press('ArrowUp');
		assert.notEqual(await field.inputValue(), 'The port is taken');
	});

	it('stays when the turn could not be given it, with the reason', async () => {
		const { page, extension, field, queued } = await openRunning();
		extension.promptFailure = new ProwessError('SERVER_GONE', 'the server is gone');
		await field.fill('use pnpm');
		await field.press('Control+Enter');
		await page.locator('.problem').waitFor();
		assert.deepEqual(await queued.allTextContents(), ['use pnpm']);
		extension.promptFailure = undefined;
		const again = extension.called('thread/steer');
		await page.getByRole('button', { name: 'Send now' }).click();
		await again;
		await queued.waitFor({ state: 'detached' });
	});

	it('can be removed, changed, and is still there when the view comes back', async () => {
		const { page, field, enter, queued, reload } = await openRunning();
		await enter('one');
		await enter('two');
		await page.getByRole('button', { name: 'Remove the queued message' }).first().click();
		await reload();
		await queued.getByText('two').waitFor();
		await page.getByRole('button', { name: 'Edit the queued message' }).click();
		await queued.waitFor({ state: 'detached' });
		assert.equal(await field.inputValue(), 'two');
	});

	it('answers the question that is open', async () => {
		const { extension, thread, enter, field, page } = await openRunning();
		const question = {
			id: newId('ask'),
			opId: newId('op'),
			threadId: thread.id,
			question: 'Which currency?',
			options: ['Euro', 'Dollar'],
			askedAt: AT,
			expiresAt: AT,
		};
		extension.setDesk({ questions: [question] });
		await page.locator('.dock').waitFor();
		await page.locator('.composer[data-settled=true]').waitFor();
		const replied = extension.called('desk/reply');
		await enter('Euro please');
		assert.deepEqual((await replied).params, { id: question.id, answer: 'Euro please' });
		await page.locator('.dock').waitFor({ state: 'detached' });
		assert.equal(await field.inputValue(), '');
	});

	it('denies the request that waits, and tells the agent why', async () => {
		const { extension, thread, enter, field, page } = await openRunning();
		const asked = approval({ threadId: thread.id });
		extension.setDesk({ approvals: [asked] });
		await page.locator('.dock').waitFor();
		await page.locator('.composer[data-settled=true]').waitFor();
		const denied = extension.called('desk/approve');
		await enter('use pnpm');
		assert.deepEqual((await denied).params, { id: asked.id, answer: { kind: 'deny', reason: 'use pnpm' } });
		await page.locator('.dock').waitFor({ state: 'detached' });
		assert.equal(await field.inputValue(), '');
	});
});

describe('webview: what drops work', function () {
	this.timeout(30_000);
	const views = useViews();

	it('asks before an old message is tried again, and not for the last one', async () => {
		const { page, extension } = await views.open(withThread);
		only(extension).say('more', 'The second answer');
		await page.getByRole('log').getByText('The second answer').waitFor();
		const retry = page.getByRole('button', { name: 'Retry this message' });
		await retry.first().focus();
		await page.keyboard.press('Enter');
		await page.getByRole('group', { name: /Everything after this message is removed/ }).waitFor();
		await page.getByRole('button', { name: 'Cancel' }).click();
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'thread/rerun'),
			[],
		);
		await retry.first().focus();
		await page.keyboard.press('Enter');
		const rerun = extension.called('thread/rerun');
		await page.locator('.confirm').getByRole('button', { name: 'Retry' }).click();
		const { turnId } = (await rerun).params as { turnId: string };
		assert.ok(turnId.startsWith('trn_'));
		// From here on the buttons are those of the new turn; before, they may go while a key is on its way to them.
		await page.locator('.item.user .bubble', { hasText: 'again' }).waitFor();
		only(extension).end(only(extension).snapshot.turnId ?? newId('trn'));
		const again = extension.called('thread/rerun');
		await retry.last().focus();
		await page.keyboard.press('Enter');
		await again;
	});

	it('asks before all changes are undone', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		extension.setChanges(only(extension).id, [
			{ path: 'a.ts', kind: 'modified', added: 1, removed: 1, touchedSince: false },
		]);
		await page.getByRole('button', { name: 'Undo all' }).click();
		await page.getByRole('button', { name: 'Cancel' }).click();
		assert.equal(extension.changes.length, 1);
		await page.getByRole('button', { name: 'Undo all' }).click();
		await page.locator('.confirm').getByRole('button', { name: 'Undo all' }).click();
		await page.getByText('Changes in 1 file undone').waitFor();
		await page.getByRole('button', { name: 'Redo' }).click();
		await page.getByText('1 file changed').waitFor();
		assert.equal(extension.changes.length, 1);
	});

	it('takes a message out of the input that is back in the thread, unless it was changed there', async () => {
		for (const [typed, left] of [
			['', ''],
			[' and b', 'hello and b'],
		] as const) {
			const { page, extension, close } = await views.open(withThread);
			extension.saidBefore = { text: 'hello', context: [] };
			const field = page.locator('.composer-field');
			await field.fill('/rewind');
			await field.press('Enter');
			const dock = page.locator('.dock.go-back');
			await dock.getByRole('button', { name: 'hello' }).click();
			await dock.getByRole('button', { name: 'Only conversation' }).click();
			await page.waitForFunction(() => document.querySelector('textarea')?.value === 'hello');
			await field.pressSequentially(typed);
			await page.getByRole('button', { name: 'Redo' }).click();
			await page.getByRole('button', { name: 'Redo' }).waitFor({ state: 'detached' });
			assert.equal(await field.inputValue(), left);
			await close();
		}
	});

	it('names who has changed a file since', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const { id } = only(extension);
		extension.setChanges(id, [
			{
				path: 'a.ts',
				kind: 'modified',
				added: 1,
				removed: 1,
				touchedSince: true,
				since: [{ kind: 'thread', threadId: newId('thr') }, { kind: 'person' }],
			},
		]);
		await page.getByText('1 file changed').click();
		await page.getByText('changed since by another thread, you').waitFor();
	});
});
