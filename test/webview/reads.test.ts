/** Reads in a row, as one line that opens. */
import assert from 'node:assert/strict';
import { newId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import type { ToolItem } from '../../src/protocol/thread/items.ts';
import { AT, type FakeThread } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: reads in a row', function () {
	this.timeout(30_000);
	const views = useViews();

	function call(thread: FakeThread, turnId: TurnId, tool: string, given: Partial<ToolItem> = {}): ToolItem {
		const item: ToolItem = {
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'tool',
			opId: newId('op'),
			tool,
			title: `${tool} a.ts`,
			input: { path: 'a.ts' },
			status: 'done',
			output: 'one',
			outputTruncated: false,
			durationMs: 4,
			...given,
		};
		thread.emit({ type: 'item.start', item });
		return item;
	}

	it('stand alone while one of them runs, and become one line that the keyboard opens', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('look');
		call(thread, turnId, 'fs_read', { title: 'Read a.ts' });
		call(thread, turnId, 'fs_read', { title: 'Read b.ts' });
		const last = call(thread, turnId, 'fs_read', { title: 'Read c.ts', status: 'running', durationMs: undefined });
		await page.getByText('Read c.ts').waitFor();
		assert.equal(await page.getByRole('button', { name: 'Read 3 files' }).count(), 0);

		thread.emit({ type: 'item.tool', itemId: last.id, patch: { status: 'done', durationMs: 3 } });
		const line = page.getByRole('button', { name: 'Read 3 files' });
		await line.waitFor();
		assert.equal(await page.getByText('Read c.ts').count(), 0);
		await line.press('Enter');
		await page.getByRole('button', { name: 'Read c.ts' }).press('Enter');
		await page.locator('.item.reads pre', { hasText: 'one' }).waitFor();
		assert.deepEqual(await violations(page), []);
	});

	it('are counted as reads and searches where they are of several kinds, and recorded with their turn', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('look');
		for (const tool of ['fs_read', 'search_text', 'git_diff', 'fs_list']) {
			call(thread, turnId, tool);
		}
		thread.end(turnId);
		await page.getByRole('button', { name: '4 reads and searches' }).waitFor();
		await page.getByRole('button', { name: '4 recorded' }).waitFor();
	});

	it('show how long a short one took to those who point at it', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('look');
		call(thread, turnId, 'fs_read', { title: 'Read a.ts' });
		call(thread, turnId, 'shell_run', { title: 'Run make', durationMs: 2_500 });
		await page.getByText('2.5 s').waitFor();
		assert.equal(await page.getByText('4 ms').isVisible(), false);
		await page.getByRole('button', { name: 'Read a.ts' }).hover();
		await page.getByText('4 ms').waitFor();
	});
});
