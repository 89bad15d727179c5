/** A question about a command that can be tried first, in each state of its trial. */
import assert from 'node:assert/strict';
import type { Approval, EndedTrial } from '../../src/protocol/approvals/approvals.ts';
import { text } from '../../src/protocol/text/text.ts';
import { approval } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

const end = { state: 'ended', exitCode: 0, signal: null, timedOut: false, output: 'said\n' } as const;
const kept: EndedTrial = {
	...end,
	changed: [
		{ path: 'src/a.ts', kind: 'modified' },
		{ path: 'src/a/very/long/path/of/a/file/that/does/not/fit/into/a/narrow/side/bar/b.ts', kind: 'created' },
		{ path: 'old.ts', kind: 'deleted' },
	],
	changedBeyond: 4,
};

describe('webview: a trial of a command', function () {
	this.timeout(60_000);
	const views = useViews();

	async function open(trial: Approval['trial'], width = 400) {
		const asked = approval({ title: 'Run npm run format', trial });
		const { page, extension } = await views.open({
			width,
			height: 700,
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		const dock = page.locator('.dock.approval[data-settled=true]');
		await dock.waitFor();
		return { page, extension, dock, asked };
	}

	it('is not there where nothing can be tried', async () => {
		const { dock } = await open(undefined);
		assert.equal(await dock.locator('.trial').count(), 0);
	});

	it('says why it could not be, and offers no changes to keep', async () => {
		const { dock } = await open({ state: 'failed', why: text('The workspace is too large.') });
		await dock.getByText('It could not be tried. The workspace is too large.').waitFor();
		assert.equal(await dock.getByRole('button', { name: 'Keep these changes' }).count(), 0);
	});

	it('says why what it changed cannot be kept', async () => {
		const { dock } = await open({ ...end, changed: [], changedBeyond: 0, lost: text('It changed nothing.') });
		await dock.getByText('It changed nothing.').waitFor();
		assert.equal(await dock.getByRole('button', { name: 'Keep these changes' }).count(), 0);
	});

	it('begins at a press, and answers nothing by that', async () => {
		const { extension, dock, asked } = await open({ state: 'offered' });
		await dock.getByRole('button', { name: 'Try first' }).click();
		await dock.getByText('It runs on a copy of the workspace…').waitFor({ state: 'detached' });
		assert.deepEqual([extension.tried, extension.desk.approvals.length], [[asked.id], 1]);
	});

	it('lists what it changed, and keeps that at a press', async () => {
		const { extension, dock, asked } = await open(kept);
		await dock.getByText('4 more').waitFor();
		const answered = extension.called('desk/approve');
		await dock.getByRole('button', { name: 'Keep these changes' }).click();
		assert.deepEqual((await answered).params, { id: asked.id, answer: { kind: 'tried' } });
	});

	for (const [state, trial] of [
		['is offered', { state: 'offered' }],
		['runs', { state: 'running' }],
		['has ended', kept],
	] as const) {
		it(`has no violations and fits at 255 px while it ${state}`, async () => {
			const { page, dock } = await open(trial, 255);
			assert.deepEqual(await violations(page), []);
			const { scrollWidth, clientWidth } = await dock.evaluate((it) => ({
				scrollWidth: it.scrollWidth,
				clientWidth: it.clientWidth,
			}));
			assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
		});
	}
});
