/** Cuts of a thread for the model, as lines that say what went and open it. */
import assert from 'node:assert/strict';
import { newId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import { NOTICE_TEXTS } from '../../src/protocol/text/notice-texts.ts';
import type { ShortenedPart } from '../../src/protocol/thread/shortened.ts';
import type { ThreadItem } from '../../src/protocol/thread/items.ts';
import { AT, type FakeThread } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

const line = /^Shortened for the model: 2 × result, 1 × input \(52,300 → 3,000 characters\)$/;

describe('webview: what was shortened for the model', function () {
	this.timeout(30_000);
	const views = useViews();

	function call(thread: FakeThread, turnId: TurnId, tool: string, title: string): ThreadItem {
		const item: ThreadItem = {
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'tool',
			opId: newId('op'),
			tool,
			title,
			input: { path: 'a.ts' },
			status: 'done',
			output: 'one',
			outputTruncated: false,
			durationMs: 4,
		};
		thread.emit({ type: 'item.start', item });
		return item;
	}

	function part(kind: ShortenedPart['kind'], title: string, item?: ThreadItem): ShortenedPart {
		return { kind, title, before: 50_000, after: 1_000, ...(item === undefined ? {} : { itemId: item.id }) };
	}

	function cut(thread: FakeThread, turnId: TurnId, parts: readonly ShortenedPart[]): void {
		const counts = { result: 2, input: 1, answer: 0, attachment: 0 };
		thread.emit({
			type: 'item.start',
			item: {
				id: newId('itm'),
				turnId,
				at: AT,
				kind: 'notice',
				level: 'info',
				text: NOTICE_TEXTS.shortened,
				actions: [],
				shortened: { parts: [...parts], counts, before: 52_300, after: 3_000 },
			},
		});
	}

	it('is one line with how much, and opens each call with its sizes', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('write');
		const written = call(thread, turnId, 'fs_write', 'Write a.ts');
		cut(thread, turnId, [part('input', 'Write a.ts', written), part('result', '<img src=x onerror=alert(1)>')]);
		const row = page.getByRole('button', { name: line });
		await row.press('Enter');
		const list = page.locator('.item.compaction li');
		assert.equal(await list.nth(0).innerText(), 'Write a.ts input, 50,000 → 1,000 characters');
		assert.match(await list.nth(1).innerText(), /^<img src=x onerror=alert\(1\)> result, /);
		assert.equal(await list.nth(1).getByRole('button').count(), 0);
		assert.equal(await list.nth(2).innerText(), 'And 1 more.');
		await page.getByText("Your task and the project's instructions are kept.").waitFor();
		assert.deepEqual(await violations(page), []);
	});

	it('leads to the card of a call: alone, among reads, and where it is not drawn any more', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('write');
		const written = call(thread, turnId, 'fs_write', 'Write a.ts');
		for (let n = 0; n < 80; n += 1) {
			thread.delta(thread.startText(turnId, ''), `Paragraph ${n}`);
		}
		const reads = ['Read a.ts', 'Read b.ts', 'Read c.ts'].map((title) => call(thread, turnId, 'fs_read', title));
		cut(thread, turnId, [part('input', 'Write a.ts', written), part('result', 'Read b.ts', reads[1])]);
		await page.getByRole('button', { name: line }).click();
		const links = page.locator('.item.compaction li');
		await links.nth(1).getByRole('button').click();
		await page.locator('.item.reads .disclosure:focus').waitFor();
		await page.locator('.item.reads .disclosure').click();
		await links.nth(1).getByRole('button').click();
		await page.locator('.item.reads .item.tool .disclosure:focus', { hasText: 'Read b.ts' }).waitFor();
		assert.equal(await page.locator('.item.tool', { hasText: 'Write a.ts' }).count(), 0);
		await links.nth(0).getByRole('button').click();
		const card = page.locator('.item.tool .disclosure:focus', { hasText: 'Write a.ts' });
		await card.waitFor();
		await page.waitForFunction(() => {
			const at = document.activeElement?.getBoundingClientRect();
			return at !== undefined && at.top >= 0 && at.bottom <= window.innerHeight;
		});
	});

	it('leads to a card that is not loaded yet', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				const thread = only(fake);
				const turnId = thread.begin('write');
				const written = call(thread, turnId, 'fs_write', 'Write a.ts');
				for (let n = 0; n < 700; n += 1) {
					thread.startText(turnId, `Paragraph ${n}`);
				}
				cut(thread, turnId, [part('input', 'Write a.ts', written)]);
				thread.end(turnId);
			},
		});
		await page.getByRole('button', { name: line }).click();
		await page.locator('.item.compaction li').getByRole('button').click();
		await page.locator('.item.tool .disclosure:focus', { hasText: 'Write a.ts' }).waitFor();
		assert.ok(only(extension).snapshot.items.length > 700);
	});

	it('is a notice as before where a thread was stored without what it was', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const base = { id: newId('itm'), turnId: thread.begin('go on'), at: AT };
		const item: ThreadItem = { ...base, kind: 'notice', level: 'info', text: NOTICE_TEXTS.shortened, actions: [] };
		thread.emit({ type: 'item.start', item });
		await page.locator('.item.notice', { hasText: 'no longer fits' }).waitFor();
		assert.equal(await page.locator('.item.compaction').count(), 0);
	});
});
