/** What waits for the user: approvals, questions, changed files. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/ids.ts';
import { approval } from './support/fake-extension.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: answers', function () {
	this.timeout(30_000);
	const views = useViews();

	it('answers approvals by keyboard, one after the other, and gives the focus back', async () => {
		const first = approval({ title: 'First' });
		const second = approval({ title: 'Second', threadScope: null, pattern: null });
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [first, second], questions: [] };
			},
		});
		const dock = page.locator('.dock.approval');
		await dock.and(page.locator('[data-settled=true]')).waitFor();
		const forThread = dock.getByRole('button', { name: 'Allow for this thread' });
		assert.equal(await forThread.getAttribute('title'), first.threadScope);
		await page.locator('.composer-field').focus();
		await page.keyboard.press('1');
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'desk/approve'),
			[],
		);
		await page.locator('.composer-field').fill('');
		await dock.getByRole('button', { name: 'Deny', exact: true }).focus();
		const allowed = extension.called('desk/approve');
		await page.keyboard.press('3');
		assert.deepEqual((await allowed).params, { id: first.id, answer: { kind: 'always' } });
		await dock.getByRole('heading', { name: 'Second' }).waitFor();
		await page.locator('.dock[data-settled=true]').waitFor();
		assert.deepEqual(await dock.getByRole('button').allInnerTexts(), ['1Allow once', '4Deny', 'Deny with a reason…']);
		await page.keyboard.press('2');
		await page.keyboard.press('3');
		const denied = extension.called('desk/approve');
		await page.keyboard.press('Escape');
		assert.deepEqual((await denied).params, { id: second.id, answer: { kind: 'deny' } });
		await dock.waitFor({ state: 'detached' });
		await page.locator('.composer-field:focus').waitFor();
	});

	it('shows the exact argument vector, and denies with a reason', async () => {
		const asked = approval({ detail: { kind: 'command', argv: ['sh', '-c', 'a  &&\nb \\u{202e}'], cwd: '/w' } });
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		await page.locator('.dock[data-settled=true]').waitFor();
		assert.deepEqual(await page.locator('.argv code').allTextContents(), ['sh', '-c', 'a  &&\nb \\u{202e}']);
		await page.getByRole('button', { name: 'Deny with a reason…' }).click();
		const denied = extension.called('desk/approve');
		await page.keyboard.type('use 1 make');
		await page.keyboard.press('Enter');
		assert.deepEqual((await denied).params, { id: asked.id, answer: { kind: 'deny', reason: 'use 1 make' } });
	});

	it('shows every command of a chain on its own, with what joins them', async () => {
		const chain = [
			{ join: '|' as const, argv: ['wc', '-l'] },
			{ join: '&&' as const, argv: ['make', 'a b'] },
		];
		const asked = approval({ detail: { kind: 'command', argv: ['ls'], chain, cwd: '.' } });
		const { page } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		await page.locator('.dock[data-settled=true]').waitFor();
		const shown = await page.locator('.argv li, .join').allTextContents();
		assert.deepEqual(shown, ['ls', '| its output is read by', 'wc', '-l', '&& and if that succeeds', 'make', 'a b']);
	});

	it('tells a screen reader that an approval waits', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		extension.setDesk({ approvals: [approval()] });
		await page
			.locator('[aria-live=assertive]')
			.filter({ hasText: 'Approval needed: Run npm test' })
			.waitFor({ state: 'attached' });
	});

	it('replies to a question with an option or in own words', async () => {
		const question = {
			id: newId('ask'),
			opId: newId('op'),
			threadId: null,
			question: 'Which one?',
			options: ['left', 'right'],
			askedAt: AT,
			expiresAt: AT,
		};
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = {
					approvals: [],
					questions: [question, { ...question, id: newId('ask'), question: 'And then?', options: [] }],
				};
			},
		});
		const first = extension.called('desk/reply');
		await page.getByRole('button', { name: 'right' }).click();
		assert.deepEqual((await first).params, { id: question.id, answer: 'right' });
		await page.getByRole('heading', { name: 'And then?' }).waitFor();
		const second = extension.called('desk/reply');
		await page.getByLabel('Your answer').fill('home');
		await page.keyboard.press('Enter');
		assert.equal(((await second).params as { answer: string }).answer, 'home');
	});

	it('undoes what somebody else changed only after a second question', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		extension.setChanges(only(extension).id, [
			{ path: 'a.ts', kind: 'modified', added: 1, removed: 1, touchedSince: false },
			{ path: 'b.ts', kind: 'modified', added: 1, removed: 1, touchedSince: true },
		]);
		await page.getByRole('button', { name: 'Undo all' }).click();
		await page.getByRole('alert').filter({ hasText: 'b.ts' }).waitFor();
		assert.deepEqual(
			extension.changes.map(({ path }) => path),
			['b.ts'],
		);
		await page.getByRole('button', { name: 'Undo anyway' }).click();
		await page.locator('.changes').waitFor({ state: 'detached' });
	});
});
