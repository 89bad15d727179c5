/**
 * Checks the record of a turn as the chat shows it: the mark at the turn's end, and the way from a card to its rows.
 */
import assert from 'node:assert/strict';
import { newId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import type { ToolItem } from '../../src/protocol/thread/items.ts';
import { AT, type FakeThread } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: what is recorded of a turn', function () {
	this.timeout(30_000);
	const views = useViews();

	function addTool(thread: FakeThread, turnId: TurnId, given: Partial<ToolItem> = {}): ToolItem {
		const item: ToolItem = {
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'tool',
			opId: newId('op'),
			tool: 'fs_read',
			title: 'Read a.ts',
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

	/** A turn with two effects, one call that never reached the host, and an answer. */
	async function opened() {
		const view = await views.open(withThread);
		const thread = only(view.extension);
		const turnId = thread.begin('go');
		const tools = [addTool(thread, turnId), addTool(thread, turnId, { title: 'Edit a.ts', status: 'denied' })];
		addTool(thread, turnId, { title: 'no_such_tool', status: 'failed', durationMs: undefined });
		thread.startText(turnId, 'All done.');
		await view.page.getByText('All done.').waitFor();
		return { ...view, thread, turnId, tools };
	}

	it('is said when the turn has ended, and not before', async () => {
		const { page, thread, turnId } = await opened();
		const before = await page.locator('.turn-record').count();
		assert.equal(await page.getByRole('button', { name: '2 recorded' }).count(), 0);
		thread.end(turnId);
		await page.getByRole('button', { name: '2 recorded' }).waitFor();
		assert.equal(await page.locator('.turn-record').count(), before + 1);
		assert.deepEqual(await violations(page), []);
	});

	it('says with it what the last test run of the turn has shown, as its card does', async () => {
		const { page, thread, turnId } = await opened();
		addTool(thread, turnId, { title: 'Run npm test', tool: 'shell_run', tests: { passed: 41, failed: 0, skipped: 1 } });
		thread.end(turnId);
		const words = '41 passed, 0 failed, 1 skipped';
		await page.getByText(`Last test run: ${words}`).waitFor();
		assert.deepEqual(await page.locator('.test-counts').allTextContents(), ['41 passed', `Last test run: ${words}`]);
		assert.deepEqual(await violations(page), []);
	});

	it('is verified on a click, for these effects', async () => {
		const { page, extension, thread, turnId, tools } = await opened();
		thread.end(turnId);
		await page.getByRole('button', { name: '2 recorded' }).press('Enter');
		await page.getByRole('status').getByText('Recorded: 2, chain intact.').waitFor();
		const asked = await extension.called('view/verifyRecorded', 0);
		assert.deepEqual(asked.params, { opIds: tools.map(({ opId }) => opId) });
	});

	for (const [what, said] of [
		['missing', 'Recorded: 1 of 2. The others are missing from the ledger.'],
		['changed', 'The ledger is damaged.'],
	] as const) {
		it(`leads to the ledger where something is ${what}`, async () => {
			const { page, extension, thread, turnId } = await opened();
			extension.recorded = what === 'missing' ? 1 : 2;
			extension.isLedgerIntact = what === 'missing';
			thread.end(turnId);
			await page.getByRole('button', { name: '2 recorded' }).click();
			await page.getByText(said).waitFor();
			await page.getByRole('button', { name: 'Show ledger' }).click();
			assert.deepEqual((await extension.called('view/command', 0)).params, { command: 'showLedger' });
		});
	}

	it('has the way to the trace of the turn beside it, also where nothing is recorded', async () => {
		const view = await views.open(withThread);
		const thread = only(view.extension);
		const turnId = thread.begin('go');
		thread.startText(turnId, 'Nothing to do.');
		thread.end(turnId);
		await view.page.getByText('Nothing to do.').waitFor();
		await view.page.getByRole('button', { name: 'Trace' }).last().press('Enter');
		assert.deepEqual((await view.extension.called('view/showTrace', 0)).params, { turnId });
		assert.equal(await view.page.getByRole('button', { name: /recorded/ }).count(), 0);
	});

	it('opens from each card, for its op alone; a call that reached nobody has no such way', async () => {
		const { page, extension, tools } = await opened();
		const recorded = page.getByRole('button', { name: 'Recorded', exact: true });
		await page.getByRole('button', { name: /no_such_tool/ }).click();
		assert.equal(await recorded.count(), 0);
		await page.getByRole('button', { name: /Edit a\.ts/ }).click();
		await recorded.click();
		assert.deepEqual((await extension.called('view/showRecorded', 0)).params, { opId: tools[1]?.opId });
	});
});
