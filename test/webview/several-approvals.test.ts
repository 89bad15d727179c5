/** Several acts that wait for an answer as one list, of which one answer may settle those that are shown. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Approval } from '../../src/protocol/approvals/approvals.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { text } from '../../src/protocol/text/text.ts';
import { dangerous } from './support/dangerous-approval.ts';
import { approval } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

const PATCH = '@@ -1,2 +1,2 @@\n export const a = 1;\n-export const b = 1;\n+export const b = 2;\n';
const edit = approval({
	op: 'fs.edit',
	act: 'changes',
	title: 'Edit src/add.ts',
	detail: { kind: 'diff', diff: { path: 'src/add.ts', created: false, added: 1, removed: 1, patch: PATCH } },
});
const test = approval({ title: 'Run npm test' });
const risky = approval(dangerous);
const guarded = approval({
	op: 'fs.write',
	act: 'changes',
	title: 'Write .env',
	reason: text('"{path}" is read by shells or command-line tools when they start.', { path: '.env' }),
	detail: { kind: 'diff', diff: { path: '.env', created: true, added: 1, removed: 0, patch: '@@ -0,0 +1 @@\n+X=1\n' } },
	threadScope: null,
	pattern: null,
	isProjectOffered: false,
	isPartOfAll: false,
});

describe('webview: several approvals', function () {
	this.timeout(60_000);
	const views = useViews();

	async function open(approvals: readonly Approval[], width = 400, height = 700) {
		const { page, extension } = await views.open({
			width,
			height,
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [...approvals], questions: [] };
			},
		});
		await settled(page);
		const button = (name: string) => page.locator('.dock').getByRole('button', { name });
		return { page, extension, button };
	}

	const settled = (page: Page) => page.locator('.dock[data-settled=true]').waitFor();

	it('allow with one press those that were drawn, and nothing that came since', async () => {
		const { page, extension, button } = await open([edit, test]);
		// The page is not told of the third approval.
		const late = approval({ title: 'Run npm publish' });
		extension.desk = { ...extension.desk, approvals: [edit, test, late] };
		const answered = extension.called('desk/approveAll');
		await button('Allow all shown').click();
		assert.deepEqual((await answered).params, { ids: [edit.id, test.id], answer: { kind: 'once' } });
		await page.locator('.dock').getByTitle('Run npm publish').waitFor();
		assert.deepEqual(extension.desk.approvals, [late]);
	});

	it('of another thread are named where they are not shown', async () => {
		const outside = approval({ title: 'Run npm run deploy', threadId: newId('thr') });
		const { page } = await views.open({
			prepare(fake) {
				fake.desk = { approvals: [outside], questions: [] };
			},
		});
		await page.getByRole('button', { name: 'Needs your answer elsewhere: Run npm run deploy' }).waitFor();
	});

	it('take no press that was meant for the list before', async () => {
		const { page, extension, button } = await open([edit, test]);
		const late = approval({ title: 'Run npm publish' });
		extension.setDesk({ approvals: [edit, test, late] });
		await page.getByText('3 actions wait for your answer').waitFor();
		const calls = extension.calls.length;
		await button('Allow all shown').evaluate(async (all) => {
			for (let clicks = 0; clicks < 5; clicks += 1) {
				(all as HTMLButtonElement).click();
				await new Promise((resolve) => requestAnimationFrame(resolve));
			}
		});
		await settled(page);
		assert.equal(
			extension.calls.slice(calls).some(({ method }) => method.startsWith('desk/')),
			false,
		);
	});

	it('leave what is dangerous out of the one answer, and out of Enter', async () => {
		const { page, extension, button } = await open([edit, risky, test]);
		assert.equal(await page.locator('.act.dangerous').getByRole('button', { name: 'Allow once' }).count(), 0);
		await page.locator('.composer-field').press('Enter');
		assert.equal(extension.desk.approvals.length, 3);
		await button('Allow 2 of 3 shown').click();
		await page.locator('.dock.dangerous').waitFor();
		assert.deepEqual(extension.desk.approvals, [risky]);
	});

	it('say why each is asked, and leave what a person is always asked about out of the one answer, and out of Enter', async () => {
		const { page, extension, button } = await open([guarded, test]);
		const row = (title: string) => page.getByRole('listitem', { name: title });
		await row('Write .env').getByText('".env" is read by shells or command-line tools').waitFor();
		await row('Run npm test').getByText('Running commands needs your approval.').waitFor();
		assert.deepEqual(await page.getByText('Needs an answer of its own.').count(), 1);
		await page.locator('.composer-field').press('Enter');
		assert.deepEqual(extension.desk.approvals, [guarded, test]);
		await button('Allow 1 of 2 shown').click();
		await page.locator('.dock').getByRole('heading', { name: 'Write .env' }).waitFor();
		assert.deepEqual(extension.desk.approvals, [guarded]);
	});

	it('take a yes to what a person is always asked about beside its reason, for it alone', async () => {
		const { extension, button } = await open([guarded, test]);
		const allowed = extension.called('desk/approve');
		await button('Allow once: Write .env').click();
		assert.deepEqual((await allowed).params, { id: guarded.id, answer: { kind: 'once' } });
	});

	it('offer no one yes where none may get it with others, nor where the host is too old to say', async () => {
		const { isPartOfAll: _, ...old } = edit;
		const { page, extension, button } = await open([guarded, old]);
		await page.locator('.composer-field').press('Enter');
		assert.equal(
			await page
				.locator('.dock')
				.getByRole('button', { name: /^Allow (?:all|\d)/ })
				.count(),
			0,
		);
		assert.equal(await page.getByText('Needs an answer of its own.').count(), 0);
		assert.equal(extension.desk.approvals.length, 2);
		await button('Deny all').click();
		await page.locator('.dock').waitFor({ state: 'detached' });
	});

	it('are answered one by one, and opened for the further answers', async () => {
		const { page, extension, button } = await open([edit, test]);
		const denied = extension.called('desk/approve');
		await button('Deny: Edit src/add.ts').click();
		assert.deepEqual((await denied).params, { id: edit.id, answer: { kind: 'deny' } });
		extension.setDesk({ approvals: [edit, test] });
		await page.getByText('2 actions wait for your answer').waitFor();
		await settled(page);
		await button('More…: Run npm test').click();
		await settled(page);
		await button('All 2').click();
		await settled(page);
		await button('More…: Run npm test').click();
		await settled(page);
		const allowed = extension.called('desk/approve');
		await page.keyboard.press('3');
		assert.deepEqual((await allowed).params, { id: test.id, answer: { kind: 'project' } });
		await page.locator('.dock').getByTitle('Edit src/add.ts').waitFor();
	});

	for (const { key, answer } of [
		{ key: '1', answer: { kind: 'once' } },
		{ key: 'Enter', answer: { kind: 'once' } },
		{ key: '4', answer: { kind: 'deny' } },
		{ key: 'Escape', answer: { kind: 'deny' } },
	]) {
		it(`are answered together by ${key} from the empty input`, async () => {
			const { page, extension } = await open([edit, test]);
			const answered = extension.called('desk/approveAll');
			await page.locator('.composer-field').press(key);
			assert.deepEqual((await answered).params, { ids: [edit.id, test.id], answer });
			await page.locator('.dock').waitFor({ state: 'detached' });
		});
	}

	it('are denied together by a text, which the agent reads', async () => {
		const { page, extension } = await open([edit, risky]);
		const answered = extension.called('desk/approveAll');
		await page.locator('.composer-field').fill('Use the other file');
		await page.locator('.composer-field').press('Enter');
		const answer = { kind: 'deny', reason: 'Use the other file' };
		assert.deepEqual((await answered).params, { ids: [edit.id, risky.id], answer });
		await page.locator('.dock').waitFor({ state: 'detached' });
	});

	it('are said as a list to somebody who hears the page', async () => {
		const { page, extension } = await open([edit]);
		extension.setDesk({ approvals: [edit, risky] });
		const said = `2 approvals needed: Edit src/add.ts; dangerous: ${risky.title}`;
		await page.locator('[aria-live=assertive]').filter({ hasText: said }).waitFor();
	});

	it('keep the answers to all in sight in every place, in one row, with every theme readable', async () => {
		const { page, button } = await open([edit, risky, guarded, test]);
		const row = [button('Allow 2 of 4 shown'), button('Deny all')];
		const wrong: string[] = [];
		for (const [width, height] of [
			[255, 700],
			[400, 700],
			[900, 240],
			[300, 290],
		] as const) {
			await page.setViewportSize({ width, height });
			const boxes = await Promise.all(row.map((each) => each.boundingBox()));
			const isInSight = (box: (typeof boxes)[number]) =>
				box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height;
			const isWhole = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
			if (!boxes.every(isInSight) || boxes[0]?.y !== boxes[1]?.y || !isWhole) {
				wrong.push(`${width} × ${height}: ${JSON.stringify({ boxes, isWhole })}`);
			}
			wrong.push(...(await violations(page)).map((each) => `${width} × ${height}: ${each}`));
		}
		assert.deepEqual(wrong, []);
	});
});
